import { Kysely } from 'kysely';

import { type Database, type Db, withTransaction } from '../platform/db/database.ts';
import { MIGRATIONS } from '../platform/db/migrations/index.ts';
import { createPostgresDialect } from '../platform/db/postgres-dialect.ts';
import { createSqliteDialect } from '../platform/db/sqlite-dialect.ts';
import { createTables, loadTable, type TableContent } from '../platform/db/transfer/load-tables.ts';
import type { Secret } from '../platform/secret.ts';
import { indexAllPacks } from '../registry/packs/index-pack.ts';
import { CommandFailed, say } from './command.ts';

interface Content {
  /** Names of the migrations that the tables have been through. */
  readonly migrations: readonly string[];
  /** In the order in which rows refer to each other. */
  readonly tables: AsyncIterable<TableContent> | Iterable<TableContent>;
  /** The last step of the transaction. */
  readonly finish?: (tx: Db) => Promise<void>;
}

/** Opens a database without an upgrade. Statements have no time limit: an index over many rows takes long. */
export function openAsIs(place: Secret | string): Db {
  const dialect =
    typeof place === 'string'
      ? createSqliteDialect(place)
      : createPostgresDialect({ url: place, poolSize: 1, onLost: () => {} });
  return new Kysely<Database>({ dialect });
}

/** Fills an empty database with the content of another and upgrades it to this version, all or nothing. */
export async function fillDatabase(db: Db, { migrations, tables, finish }: Content): Promise<void> {
  let rows = 0;
  try {
    await withTransaction(db, async (tx) => {
      await createTables(tx, migrations);
      for await (const table of tables) {
        await loadTable(tx, table);
        rows += table.count;
      }
      const newer = Object.keys(MIGRATIONS)
        .toSorted()
        .filter((name) => !migrations.includes(name));
      await createTables(tx, newer);
      await indexAllPacks(tx);
      await finish?.(tx);
    });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof CommandFailed) throw error;
    throw new CommandFailed(`The database could not be filled: ${error.message}. Nothing was changed.`, {
      cause: error,
    });
  }
  say(`database: ${rows} rows.`);
}
