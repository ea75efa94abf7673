import { type RootOperationNode, TableNode } from 'kysely';

/** The tables that a statement writes itself; `undefined` when nobody can tell. */
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

/** Counts commits by the tables they write. A table that others empty by `on delete cascade` is named together with them. */
export function createTableVersions() {
  const versions = new Map<string, number>();
  const open = new Set<string>();
  let forAll = 0;
  let isAllOpen = false;
  return {
    /** Something was written that is not committed yet. */
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
    // Each number only grows, so no two states have the same sum.
    /** Changes with every commit that may have written to one of these. */
    of: (tables: readonly string[]): number =>
      tables.reduce((sum, table) => sum + (versions.get(table) ?? 0), forAll),
  };
}
