import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

import type { Config } from '../config/load-config.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandFailed } from './command.ts';
import { openSnapshot, readContent } from './installation.ts';
import { isNamed, namedFiles, STORES, type StoreName } from './named-files.ts';
import type { StoredFiles } from './stored-files.ts';

export interface FileProblem {
  readonly store: StoreName;
  readonly hash: string;
}

export interface Findings {
  readonly sound: number;
  readonly missing: readonly FileProblem[];
  readonly damaged: readonly FileProblem[];
  /** That no row names, for so long that none is on its way. */
  readonly orphans: readonly FileProblem[];
  readonly young: number;
}

const YOUNG_MS = 3 * 3_600_000;
const MAX_PROBLEMS = 100_000;

/** Compares what rows name with what is stored in `files`, which the caller knows to be those of the database. With `isReading` every file is read and hashed. */
export async function compareFiles(
  config: Config,
  files: StoredFiles,
  { isReading, signal }: { readonly isReading: boolean; readonly signal: AbortSignal },
): Promise<Findings> {
  await using snapshot = await openSnapshot(config);
  const { layouts } = await readContent(snapshot);
  const tables = new Set(layouts.map(({ name }) => name));
  const unseen: FileProblem[] = [];
  const damaged: FileProblem[] = [];
  const orphans: FileProblem[] = [];
  let sound = 0;
  let young = 0;
  const add = (list: FileProblem[], problem: FileProblem): void => {
    if (list.length === MAX_PROBLEMS)
      throw new CommandFailed(`More than ${MAX_PROBLEMS} files do not fit the database. Check the settings.`);
    list.push(problem);
  };

  for (const store of STORES) {
    const named = namedFiles(snapshot, tables, store);
    let next = await named.next();
    // Rows first: what is stored later than they were read is young.
    for await (const { hash, size, modifiedAt } of files.list(store, signal)) {
      while (!next.done && next.value.hash < hash) {
        if (next.value.isDue) add(unseen, { store, hash: next.value.hash });
        next = await named.next();
      }
      if (next.done || next.value.hash !== hash) {
        if (systemClock() - modifiedAt < YOUNG_MS) young += 1;
        else add(orphans, { store, hash });
        continue;
      }
      const isSound =
        next.value.size === size && (!isReading || (await hasHash(files, { store, hash }, signal)));
      if (isSound) sound += 1;
      else add(damaged, { store, hash });
      next = await named.next();
    }
    for (; !next.done; next = await named.next()) {
      if (next.value.isDue) add(unseen, { store, hash: next.value.hash });
    }
  }
  const missing = unseen.length === 0 ? [] : await stillMissing(config, files, { tables, unseen, signal });
  return { sound, missing, damaged, orphans, young };
}

/** Some may have been deleted while this went on, and others have come. */
async function stillMissing(
  config: Config,
  files: StoredFiles,
  {
    tables,
    unseen,
    signal,
  }: {
    readonly tables: ReadonlySet<string>;
    readonly unseen: readonly FileProblem[];
    readonly signal: AbortSignal;
  },
): Promise<FileProblem[]> {
  await using snapshot = await openSnapshot(config);
  const missing: FileProblem[] = [];
  for (const file of unseen) {
    const opened = await files.open(file.store, file.hash, signal);
    opened?.destroy();
    if (!opened && (await isNamed(snapshot, tables, file))) missing.push(file);
  }
  return missing;
}

async function hasHash(
  files: StoredFiles,
  { store, hash }: FileProblem,
  signal: AbortSignal,
): Promise<boolean> {
  const stream = await files.open(store, hash, signal);
  // Deleted since it was listed.
  if (!stream) return true;
  const running = createHash('sha256');
  await pipeline(stream, running);
  return running.digest('hex') === hash;
}
