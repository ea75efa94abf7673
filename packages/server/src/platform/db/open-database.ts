import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { type Dialect, Kysely } from 'kysely';
import { messageOf } from '../errors/message-of.ts';

import type { Secret } from '../secret.ts';
import { StartError } from '../start-error.ts';
import type { Database, Db } from './database.ts';
import { appliedTo, assertUnused, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

const STATEMENT_MS = 30_000;
/** Files up to this size are checked completely at the start, in well under a second. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** Checks the database before it is migrated; `undefined` when there is none yet. */
export type BeforeMigration = (db: Db | undefined) => Promise<void>;

interface PostgresOptions {
  readonly url: Secret;
  readonly poolSize: number;
  readonly onLost: (error: Error) => void;
  readonly beforeMigration?: BeforeMigration;
}

/** Opens the SQLite file and migrates it. Refuses a damaged one without changing it. */
export async function openSqlite(file: string, beforeMigration?: BeforeMigration): Promise<Db> {
  try {
    // Opening a file that does not exist would create it.
    const isThere = await checkSqliteFile(file);
    if (!isThere) await beforeMigration?.(undefined);
    return await migrated(createSqliteDialect(file), isThere ? beforeMigration : undefined);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw sqliteUnusable(file, error);
  }
}

export async function openPostgres({ url, poolSize, onLost, beforeMigration }: PostgresOptions): Promise<Db> {
  try {
    const dialect = createPostgresDialect({ url, poolSize: 1, onLost });
    const forMigrations = await migrated(dialect, async (db) => {
      await assertUnused(db);
      await beforeMigration?.(db);
    });
    await forMigrations.destroy();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw postgresUnusable(url, error);
  }
  const dialect = createPostgresDialect({ url, poolSize, onLost, statementMs: STATEMENT_MS });
  return new Kysely<Database>({ dialect });
}

/** Opens a database without changing it. Refuses one that is not of this version. */
export async function openAsItIs(where: { readonly url: Secret } | { readonly file: string }): Promise<Db> {
  const dialect =
    'url' in where
      ? createPostgresDialect({ url: where.url, poolSize: 1, onLost: () => {}, statementMs: STATEMENT_MS })
      : createSqliteDialect(where.file);
  const db = new Kysely<Database>({ dialect });
  try {
    const tables = await db.introspection.getTables().catch((error: unknown) => {
      const at = 'url' in where ? `PostgreSQL at ${whereIs(where.url)}` : `The database file ${where.file}`;
      throw new StartError(`${at} cannot be used (${messageOf(error)}).`, { cause: error });
    });
    const isUsed = tables.some(({ name }) => name === 'migrations');
    if (!isUsed) throw new StartError('No server has used this database yet. Start one first.');
    const applied = await appliedTo(db);
    if (applied.some((name) => !MIGRATIONS[name]))
      throw new StartError(
        'The database is of a newer version of Atelier. Use the commands of that version.',
      );
    if (applied.length < Object.keys(MIGRATIONS).length)
      throw new StartError(
        'The database is of an older version of Atelier. Use the commands of that version, or start a server of this one, which upgrades it.',
      );
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function migrated(dialect: Dialect, check?: (db: Db) => Promise<void>): Promise<Db> {
  const db = new Kysely<Database>({ dialect });
  try {
    await check?.(db);
    await migrate(db, MIGRATIONS);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Whether there is a database. Read-only, so that a broken or foreign file is not changed. */
async function checkSqliteFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.size === 0) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    if (tables.length > 0 && !tables.some(({ name }) => name === 'migrations')) {
      throw new Error('it belongs to another program');
    }
    if (found.size > CHECKED_BYTES) return true;
    const result = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0];
    if (result !== 'ok') throw new Error(`it is damaged: ${String(result).replaceAll(/\s+/g, ' ')}`);
    return true;
  } finally {
    database.close();
  }
}

export function sqliteUnusable(file: string, error: unknown): StartError {
  return new StartError(
    `The database file ${file} cannot be used (${messageOf(error)}). Restore it from a backup, or move it away to start empty. It was not changed.`,
    { cause: error },
  );
}

/** `setting` is the variable that has the URL. */
export function postgresUnusable(url: Secret, error: unknown, setting = 'ATELIER_DATABASE_URL'): StartError {
  return new StartError(
    `PostgreSQL at ${whereIs(url)} cannot be used (${messageOf(error)}). Check ${setting} and that the server runs.`,
    { cause: error },
  );
}

/** Host and database name, never the password. */
function whereIs(url: Secret): string {
  if (!URL.canParse(url.reveal())) return 'the configured address';
  const { host, pathname } = new URL(url.reveal());
  return `${host}${pathname}`;
}
