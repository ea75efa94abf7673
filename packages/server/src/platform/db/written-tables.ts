import { type RootOperationNode, TableNode } from 'kysely';

/** The tables that a statement writes directly; `undefined` when they are unknown. */
export function writtenTables(node: RootOperationNode): readonly string[] | undefined {
  if (node.kind === 'SelectQueryNode') return [];
  if (node.kind === 'InsertQueryNode') return node.into && [nameOf(node.into)];
  if (node.kind === 'UpdateQueryNode') {
    return node.table && TableNode.is(node.table) ? [nameOf(node.table)] : undefined;
  }
  if (node.kind !== 'DeleteQueryNode') return undefined;
  const tables = node.from.froms.filter((from) => TableNode.is(from));
  return tables.length === node.from.froms.length ? tables.map(nameOf) : undefined;
}

function nameOf({ table }: TableNode): string {
  return table.identifier.name;
}

/** Counts commits by table. Readers of a table with `on delete cascade` must also name the referenced tables. */
export function createTableVersions() {
  const versions = new Map<string, number>();
  const open = new Set<string>();
  let forAll = 0;
  let isAllOpen = false;
  return {
    written(tables: readonly string[] | undefined): void {
      if (tables) for (const table of tables) open.add(table);
      else isAllOpen = true;
    },
    committed(): void {
      if (isAllOpen) forAll += 1;
      for (const table of open) versions.set(table, (versions.get(table) ?? 0) + 1);
      isAllOpen = false;
      open.clear();
    },
    /** Changes with every commit that may have written to one of these. The numbers only increase, so the sum is unique. */
    of: (tables: readonly string[]): number =>
      tables.reduce((sum, table) => sum + (versions.get(table) ?? 0), forAll),
  };
}
