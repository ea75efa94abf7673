import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Db } from './db/database.ts';
import { findMissingMigrations } from './db/migrate.ts';
import { databaseGone, isDiskFull, outageOf } from './errors/outages.ts';
import { nameOf, refusalOf, statusOf } from './files/s3/s3-errors.ts';
import type { FreeSpace } from './free-space.ts';
import { memoizeFor } from './memoize-for.ts';
import type { ServiceParts } from './service-parts.ts';

const FRESH_MS = 1000;
/** A request to another store takes longer, and may cost money. */
const STORE_FRESH_MS = 5000;
const ANSWER_MS = 5000;
/** How long a failed save counts: the disk of PostgreSQL and the room in a bucket cannot be seen from here. */
const SUSPECT_MS = 15_000;
/** Too large to fit into a block that the file system has already allocated. */
const PROBE = Buffer.alloc(64 * 1024);

export const CHECKS = ['database', 'migrations', 'store', 'disk'] as const;
/** A sentence for each check that fails. */
export type Checks = { readonly [Name in (typeof CHECKS)[number]]?: string | undefined };

interface Parts extends ServiceParts {
  readonly dataFolder: string;
  readonly space: Pick<FreeSpace, 'isLow'>;
  /** Throws when the file store, unless it is the data folder, does not answer. */
  readonly askStore?: (() => Promise<void>) | undefined;
  readonly onError: (error: unknown) => void;
}

export type Health = ReturnType<typeof createHealth>;

/** Checks by writing: a full disk or a read-only database can still be read. */
export function createHealth({ db, clock, dataFolder, space, askStore, onError }: Parts) {
  let suspectUntil = Number.NEGATIVE_INFINITY;
  let refused: { readonly problem: string; readonly until: number } | undefined;
  let isDraining = false;
  const lookAtStore = memoizeFor(STORE_FRESH_MS, clock, async () => {
    try {
      await askStore?.();
      return undefined;
    } catch (error) {
      onError(error);
      // A refusal for another reason, such as a missing mark, still shows a store that answers.
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
    const canWrite = file.status === 'fulfilled' || isDiskFull(file.reason);
    const isLow = low.status === 'fulfilled' && low.value;
    const refusal = refused && clock() < refused.until ? refused.problem : undefined;
    const checks: Checks = {
      database: row.status === 'rejected' ? databaseProblem(row.reason) : undefined,
      migrations: row.status === 'fulfilled' ? migrationProblem(row.value) : undefined,
      store: canWrite
        ? ((store.status === 'fulfilled' ? store.value : undefined) ?? refusal)
        : 'The data folder cannot be written.',
      disk: isFull
        ? 'The disk is full.'
        : isLow
          ? 'The disk is almost full, so no new work is accepted.'
          : undefined,
    };
    // A disk that is only low is no problem for accepted work and for reading.
    return { checks, problem: checks.store ?? checks.database ?? (isFull ? checks.disk : undefined) };
  });

  return {
    /** Why the server cannot save anything; `undefined` when it can. */
    problem: async (): Promise<string | undefined> => (await look()).problem,
    checks: async (): Promise<Checks> => (await look()).checks,
    /** After a failure caused by a full disk, the server counts as unhealthy for a while. */
    note(error: unknown): void {
      if (isDiskFull(error)) suspectUntil = clock() + SUSPECT_MS;
    },
    /** An S3 store refused a file. Reads may still work, so `askStore` would not notice. */
    noteRefusedFile(said: string): void {
      refused = {
        problem: `The file store refuses to store files (${said}).`,
        until: clock() + SUSPECT_MS,
      };
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

async function writeFileIn(folder: string): Promise<void> {
  const path = join(folder, 'health-check');
  try {
    await writeFile(path, PROBE);
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes a row without changing it. Resolves to the missing migrations. */
async function askDatabase(db: Db): Promise<string[]> {
  await db
    .updateTable('server_secrets')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('name', '=', 'file-links')
    .execute();
  return await findMissingMigrations(db);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(databaseGone()), ANSWER_MS);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
