import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { errorCode } from '../../platform/errors/error-code.ts';
import * as repo from './assets.repo.ts';
import { type FilesOfUsers, STAGING } from './create-user-files.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: Pick<FilesOfUsers, 'remove'>;
  readonly folder: string;
  readonly tempMs: number;
}

const AT_A_TIME = 100;
/** Nothing comes in for so long. */
const STAGED_MS = 3_600_000;
/** What this does not reach waits for the next time. */
const WALK_BUDGET_MS = 5_000;

/** Removes what has outlived its time: files with an expiry, and what crashes left in folders. */
export async function tidyFiles(parts: Parts): Promise<void> {
  await removeExpired(parts);
  const { folder, clock } = parts;
  const until = clock() + WALK_BUDGET_MS;
  for (const name of await namesIn(join(folder, STAGING))) {
    await removeIfOld(join(folder, STAGING, name), clock() - STAGED_MS);
  }
  for (const userId of await namesIn(folder)) {
    if (clock() > until) return;
    if (!userId.startsWith('.')) await removeStrays(parts, userId);
  }
}

async function removeExpired({ db, clock, files }: Parts): Promise<void> {
  for (;;) {
    const now = clock();
    const expired = await repo.listExpired(db, now, AT_A_TIME);
    for (const { id, user_id: userId } of expired) await files.remove(userId, id, { expiredAt: now });
    if (expired.length < AT_A_TIME) return;
  }
}

/** Temporary files that no row knows: of jobs that broke off, or of scratch folders whose thread died. */
async function removeStrays({ db, clock, folder, tempMs }: Parts, userId: string): Promise<void> {
  const root = join(folder, userId, 'temp');
  const before = clock() - tempMs;
  for await (const entry of walk(root)) {
    const path = join(entry.parentPath, entry.name);
    const subfolder = relative(root, entry.parentPath).split(sep).join('/');
    const isOld = ((await ageOf(path)) ?? before) < before;
    if (isOld && !(await repo.findAssetAt(db, userId, 'temp', subfolder, entry.name))) {
      await rm(path, { force: true });
    }
  }
}

async function* walk(folder: string) {
  const opened = await opendir(folder, { recursive: true }).catch(missing);
  if (!opened) return;
  for await (const entry of opened) if (!entry.isDirectory()) yield entry;
}

async function removeIfOld(path: string, before: number): Promise<void> {
  if (((await ageOf(path)) ?? before) < before) await rm(path, { recursive: true, force: true });
}

async function ageOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(missing))?.mtimeMs;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(missing)) ?? [];
}

function missing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
