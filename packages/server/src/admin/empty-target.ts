import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '../config/load-config.ts';
import {
  openPostgresSnapshot,
  openSqliteSnapshot,
  type Snapshot,
} from '../platform/db/transfer/open-snapshot.ts';
import { tablesIn } from '../platform/db/transfer/read-applied.ts';
import { RESTORING } from '../platform/db/unfinished-restore.ts';
import { errorCode } from '../platform/errors/error-code.ts';
import { readBucketMark } from '../platform/files/s3/mark-bucket.ts';
import { CommandFailed } from './command.ts';
import { sqliteFileOf, valueOf } from './installation.ts';
import { STORES } from './named-files.ts';
import type { StoredFiles } from './stored-files.ts';

/** What is left of a move or restore that was cut off at its beginning. */
const HARMLESS = new Set(['migrations', 'migrations_lock']);

/**
 * Refuses an installation that has anything in it. Resolves to the id of the backup whose restore did not finish there, or to `undefined` when it is
 * empty.
 */
export async function assertEmpty(
  config: Config,
  files: StoredFiles,
  signal: AbortSignal,
): Promise<string | undefined> {
  const unfinished = await assertEmptyDatabase(config);
  if (unfinished !== undefined) return unfinished;
  if (await hasFiles(files, signal)) throw notEmpty(files.place);
  return undefined;
}

async function assertEmptyDatabase(config: Config): Promise<string | undefined> {
  const { url } = config.database;
  const file = sqliteFileOf(config);
  if (!url && !existsSync(file)) return undefined;
  await using snapshot = url ? await openPostgresSnapshot(url) : openSqliteSnapshot(file);
  return await assertEmptySnapshot(snapshot, url ? 'The database' : file);
}

export async function assertEmptySnapshot(snapshot: Snapshot, place: string): Promise<string | undefined> {
  const tables = await tablesIn(snapshot);
  if (tables.includes('server_secrets')) {
    const unfinished = await valueOf(snapshot, RESTORING);
    if (unfinished !== undefined) return unfinished;
  }
  if (tables.some((name) => !HARMLESS.has(name))) throw notEmpty(place);
  return undefined;
}

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
