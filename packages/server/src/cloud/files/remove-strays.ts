import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { errorCode } from '../../platform/errors/error-code.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findAssetAt } from './assets.repo.ts';

interface Parts extends ServiceParts {
  /** The folder of all users. */
  readonly folder: string;
  readonly tempMs: number;
}

/** What is not reached in this time waits for the next run. */
const WALK_BUDGET_MS = 5_000;

/** Removes temporary files that have no row: left by aborted jobs, or in scratch folders of threads that died. */
export async function removeStrays(parts: Parts): Promise<void> {
  const { folder, clock } = parts;
  const until = clock() + WALK_BUDGET_MS;
  for (const userId of await namesIn(folder)) {
    if (clock() > until) return;
    if (!userId.startsWith('.')) await removeStraysOf(parts, userId);
  }
}

async function removeStraysOf({ db, clock, folder, tempMs }: Parts, userId: string): Promise<void> {
  const root = join(folder, userId, 'temp');
  const before = clock() - tempMs;
  for await (const entry of walk(root)) {
    const path = join(entry.parentPath, entry.name);
    const subfolder = relative(root, entry.parentPath).split(sep).join('/');
    const isOld = ((await ageOf(path)) ?? before) < before;
    if (isOld && !(await findAssetAt(db, userId, { folder: 'temp', subfolder, fileName: entry.name }))) {
      await rm(path, { force: true });
    }
  }
}

async function* walk(folder: string) {
  const opened = await opendir(folder, { recursive: true }).catch(missing);
  if (!opened) return;
  for await (const entry of opened) if (!entry.isDirectory()) yield entry;
}

/** Removes what has not been written to since `before`. */
export async function removeOldIn(folder: string, before: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (((await ageOf(path)) ?? before) < before) await rm(path, { recursive: true, force: true });
  }
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
