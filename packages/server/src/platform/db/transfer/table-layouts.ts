import { sql } from 'kysely';

import { SEARCH_TABLE, withTablesOf } from '../applied-migrations.ts';
import { MIGRATIONS } from '../migrations/index.ts';

type ColumnKind = 'text' | 'integer' | 'bytes';

export interface TableLayout {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
  /** Whether `seq` is generated. */
  readonly hasCounter: boolean;
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  blob: 'bytes',
};

/**
 * The tables of these migrations, referenced tables first. They are created in an empty SQLite file and inspected there, so that
 * none is forgotten and foreign ones are ignored. Without the search index, which each engine builds from the rows.
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
        // Kysely reports every integer key as generated.
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
