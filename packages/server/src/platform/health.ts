import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Db } from './db/database.ts';
import { findMissingMigrations } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations/index.ts';
import { databaseGone, isDiskFull, outageOf } from './errors/outages.ts';
import { nameOf, refusalOf, statusOf } from './files/s3/s3-errors.ts';
import type { FreeSpace } from './free-space.ts';
import { memoizeFor } from './memoize-for.ts';
import type { ServiceParts } from './service-parts.ts';

/** Whoever asks more often gets the last answer. */
const FRESH_MS = 1000;
/** A request to another store takes longer, and may cost money. */
const STORE_FRESH_MS = 5000;
const ANSWER_MS = 5000;
/** A failed save is believed for so long: the disk of PostgreSQL, or the room in a bucket, cannot be looked at from here. */
const SUSPECT_MS = 15_000;
/** More than a file system keeps back in a block that is already taken. */
const PROBE = Buffer.alloc(64 * 1024);

export const CHECKS = ['database', 'migrations', 'store', 'disk'] as const;
/** What is wrong with each, in a sentence; nothing where all is well. */
export type Checks = { readonly [Name in (typeof CHECKS)[number]]?: string | undefined };

interface Parts extends ServiceParts {
  readonly dataFolder: string;
  readonly space: Pick<FreeSpace, 'isLow'>;
  /** Asks a store that is not the data folder for a sign of life. */
  readonly askStore?: (() => Promise<void>) | undefined;
  readonly onError: (error: unknown) => void;
}

export type Health = ReturnType<typeof createHealth>;

/** Finds out by writing, since a disk may be full or a database read-only while both can be read. */
export function createHealth({ db, clock, dataFolder, space, askStore, onError }: Parts) {
  let suspectUntil = Number.NEGATIVE_INFINITY;
  let refused: { readonly said: string; readonly until: number } | undefined;
  let isDraining = false;
  const lookAtStore = memoizeFor(STORE_FRESH_MS, clock, async () => {
    try {
      await askStore?.();
      return undefined;
    } catch (error) {
      onError(error);
      // Any other refusal, such as a missing mark, is an answer too.
      const said = refusalOf(error) ?? (statusOf(error) === undefined ? undefined : nameOf(error));
      return said === undefined
        ? 'The file store does not answer.'
        : `The file store refuses requests (${said}).`;
    }
  });

  const look = memoizeFor(FRESH_MS, clock, async () => {
    const [file, row, store, low] = await Promise.allSettled([
      writeFileIn(dataFolder),
      inTime(askDatabase(db)),
      lookAtStore(),
      space.isLow(),
    ]);
    const failures = [file, row, low].filter((each) => each.status === 'rejected');
    for (const { reason } of failures) onError(reason);
    const isFull = failures.some(({ reason }) => isDiskFull(reason)) || clock() < suspectUntil;
    const checks: Checks = {
      database: row.status === 'rejected' ? databaseProblem(row.reason) : undefined,
      migrations: row.status === 'fulfilled' ? migrationProblem(row.value) : undefined,
      store: storeProblem({
        canWrite: file.status === 'fulfilled' || isDiskFull(file.reason),
        found: store.status === 'fulfilled' ? store.value : undefined,
        refused: refused && clock() < refused.until ? refused.said : undefined,
      }),
      disk: diskProblem({ isFull, isLow: low.status === 'fulfilled' && low.value }),
    };
    // Work that was accepted goes on, and so does reading, while the disk is only low.
    return { checks, problem: checks.store ?? checks.database ?? (isFull ? checks.disk : undefined) };
  });

  return {
    /** What keeps the server from saving anything, in a sentence; `undefined` when nothing does. */
    problem: async (): Promise<string | undefined> => (await look()).problem,
    checks: async (): Promise<Checks> => (await look()).checks,
    /** Something failed. When a full disk was the reason, the server is not well for a while. */
    note(error: unknown): void {
      if (isDiskFull(error)) suspectUntil = clock() + SUSPECT_MS;
    },
    /** A store elsewhere refused to store a file. Reading may still work, so asking it would not show that. */
    noteRefusedFile(said: string): void {
      refused = { said, until: clock() + SUSPECT_MS };
    },
    /** From now on requests should go to other servers. */
    drain(): void {
      isDraining = true;
    },
    isDraining: (): boolean => isDraining,
  };
}

function databaseProblem(error: unknown): string | undefined {
  if (isDiskFull(error)) return undefined;
  return outageOf(error) ? 'The database does not answer.' : 'The database cannot be written.';
}

function migrationProblem([missing]: readonly string[]): string | undefined {
  return missing === undefined ? undefined : `The database lacks migration ${missing}. Restart the server.`;
}

function storeProblem(store: {
  readonly canWrite: boolean;
  readonly found: string | undefined;
  readonly refused: string | undefined;
}): string | undefined {
  if (!store.canWrite) return 'The data folder cannot be written.';
  if (store.found !== undefined || store.refused === undefined) return store.found;
  return `The file store refuses to store files (${store.refused}).`;
}

function diskProblem({ isFull, isLow }: Readonly<Record<'isFull' | 'isLow', boolean>>) {
  if (isFull) return 'The disk is full.';
  return isLow ? 'The disk is almost full, so no new work is accepted.' : undefined;
}

async function writeFileIn(folder: string): Promise<void> {
  const path = join(folder, 'health-check');
  try {
    await writeFile(path, PROBE);
  } finally {
    await rm(path, { force: true });
  }
}

/** Changes nothing, but has to be written. Resolves to the migrations that the database lacks. */
async function askDatabase(db: Db): Promise<string[]> {
  await db
    .updateTable('server_secrets')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('name', '=', 'file-links')
    .execute();
  return await findMissingMigrations(db, MIGRATIONS);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(databaseGone()), ANSWER_MS);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
