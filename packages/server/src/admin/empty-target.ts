import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '../config/load-config.ts';
import { openPostgresSnapshot, openSqliteSnapshot } from '../platform/db/transfer/open-snapshot.ts';
import { tablesIn } from '../platform/db/transfer/read-snapshot.ts';
import { RESTORE_TABLE } from '../platform/db/unfinished-restore.ts';
import { errorCode } from '../platform/errors/error-code.ts';
import { readBucketMark } from '../platform/files/s3/mark-bucket.ts';
import type { Secret } from '../platform/secret.ts';
import { CommandFailed } from './command.ts';
import { sqliteFileOf } from './installation.ts';
import { STORES } from './named-files.ts';
import type { StoredFiles } from './stored-files.ts';

/** What remains of a move or restore that was interrupted before its first row. */
const HARMLESS = new Set(['migrations', 'migrations_lock']);

/**
 * Refuses an installation that is not empty, except for an unfinished restore: resolves to the id of its backup, or to `undefined` when the
 * installation is empty.
 */
export async function assertEmpty(config: Config, files: StoredFiles, signal: AbortSignal) {
  const { url } = config.database;
  const file = sqliteFileOf(config);
  if (url || existsSync(file)) {
    await using snapshot = url ? await openPostgresSnapshot(url) : openSqliteSnapshot(file);
    const all = await tablesIn(snapshot);
    const tables = all.filter((name) => name !== RESTORE_TABLE);
    if (all.length > tables.length && !isEmpty(tables)) {
      for await (const [id] of snapshot.rows(`select id from ${RESTORE_TABLE}`)) return String(id);
    }
    if (!isEmpty(tables)) throw notEmpty(url ? 'The database' : file);
  }
  if (await hasFiles(files, signal)) throw notEmpty(files.place);
  return undefined;
}

export async function assertEmptyPostgres(url: Secret): Promise<void> {
  await using snapshot = await openPostgresSnapshot(url);
  if (!isEmpty(await tablesIn(snapshot))) throw notEmpty('The PostgreSQL database');
}

const isEmpty = (tables: readonly string[]): boolean => tables.every((name) => HARMLESS.has(name));

async function hasFiles({ s3, place, list }: StoredFiles, signal: AbortSignal): Promise<boolean> {
  if (s3) {
    if ((await readBucketMark(s3)) !== undefined) return true;
    for (const store of STORES) for await (const _file of list(store, signal)) return true;
    return false;
  }
  for (const name of [...STORES, 'users']) {
    const found = await readdir(join(place, name)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    if (found.length > 0) return true;
  }
  return false;
}

function notEmpty(place: string): CommandFailed {
  return new CommandFailed(`${place} is not empty. Nothing was changed.`);
}
