import { sql } from 'kysely';

import { SEARCH_TABLE, withTablesOf } from '../applied-migrations.ts';
import { MIGRATIONS } from '../migrations/index.ts';

export type ColumnKind = 'text' | 'integer' | 'bytes';

export interface TableLayout {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
  /** Whether `seq` counts up by itself. */
  readonly hasCounter: boolean;
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  blob: 'bytes',
};

/**
 * The tables that these migrations make, those that others refer to first. They are made on an empty SQLite file and looked at there, so that
 * nothing is forgotten and nothing foreign is taken along. Without the index of the search: each engine has its own, made of the rows.
 */
export async function layoutsOf(migrations: readonly string[]): Promise<TableLayout[]> {
  return await withTablesOf(migrations, MIGRATIONS, async (db, tables) => {
    const own = tables.filter(({ name }) => !name.startsWith(SEARCH_TABLE));
    const layouts = new Map<string, TableLayout>();
    const parents = new Map<string, string[]>();
    for (const { name, columns } of own) {
      const { rows } = await sql<{ parent: string }>`select "table" as parent
        from pragma_foreign_key_list(${name})`.execute(db);
      parents.set(
        name,
        rows.map(({ parent }) => parent),
      );
      layouts.set(name, {
        name,
        columns: columns.map((column) => ({ name: column.name, kind: kindOf(column.dataType) })),
        // Kysely takes every key that is an integer for one that counts.
        hasCounter: columns.some((column) => column.name === 'seq' && column.isAutoIncrementing),
      });
    }
    const ordered = new Set<TableLayout>();
    const add = (layout: TableLayout): void => {
      for (const parent of parents.get(layout.name) ?? []) {
        const above = layouts.get(parent);
        if (above && above !== layout) add(above);
      }
      ordered.add(layout);
    };
    for (const layout of layouts.values()) add(layout);
    return [...ordered];
  });
}

function kindOf(type: string): ColumnKind {
  const kind = KINDS[type.toLowerCase()];
  if (!kind) throw new Error(`Columns have no type ${type}.`);
  return kind;
}
