import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Db } from './db/database.ts';
import { databaseGone, isDiskFull, outageOf } from './errors/outages.ts';
import type { ServiceParts } from './service-parts.ts';

/** Whoever asks more often gets the last answer. */
const FRESH_MS = 1000;
const ANSWER_MS = 5000;
/** A failed save is believed for so long: the disk of PostgreSQL cannot be looked at from here. */
const SUSPECT_MS = 15_000;
/** More than a file system keeps back in a block that is already taken. */
const PROBE = Buffer.alloc(64 * 1024);

interface Parts extends ServiceParts {
  readonly dataFolder: string;
  readonly onError: (error: unknown) => void;
}

export type Health = ReturnType<typeof createHealth>;

/** Finds out by writing, since a disk may be full or a database read-only while both can be read. */
export function createHealth({ db, clock, dataFolder, onError }: Parts) {
  let known: string | undefined;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let suspectUntil = Number.NEGATIVE_INFINITY;
  let looking: Promise<string | undefined> | undefined;

  async function look(): Promise<string | undefined> {
    const [file, row] = await Promise.allSettled([writeFileIn(dataFolder), inTime(writeRow(db))]);
    const failed = [file, row].find((each) => each.status === 'rejected');
    if (failed) onError(failed.reason);
    if (failed && !isDiskFull(failed.reason)) {
      return outageOf(failed.reason)
        ? 'The database does not answer.'
        : `The ${failed === file ? 'data folder' : 'database'} cannot be written.`;
    }
    return failed || clock() < suspectUntil ? 'The disk is full.' : undefined;
  }

  return {
    /** What keeps the server from saving anything, in a sentence; `undefined` when nothing does. */
    problem(): Promise<string | undefined> | string | undefined {
      if (clock() < freshUntil) return known;
      looking ??= look()
        .then((found) => {
          known = found;
          freshUntil = clock() + FRESH_MS;
          return found;
        })
        .finally(() => {
          looking = undefined;
        });
      return looking;
    },
    /** Something failed. When a full disk was the reason, the server is not well for a while. */
    note(error: unknown): void {
      if (isDiskFull(error)) suspectUntil = clock() + SUSPECT_MS;
    },
  };
}

async function writeFileIn(folder: string): Promise<void> {
  const path = join(folder, 'health-check');
  try {
    await writeFile(path, PROBE);
  } finally {
    await rm(path, { force: true });
  }
}

/** Changes nothing, but has to be written. */
async function writeRow(db: Db): Promise<void> {
  await db
    .updateTable('server_secrets')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('name', '=', 'file-links')
    .execute();
}

async function inTime(work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(databaseGone()), ANSWER_MS);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
