import type { Config } from '../config/load-config.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandFailed } from './command.ts';
import { openSnapshot, readContent } from './installation.ts';
import { type FileName, isNamed, namedFiles, STORES } from './named-files.ts';
import { hasFile, type StoredFiles, sha256Of } from './stored-files.ts';

export type Findings = Awaited<ReturnType<typeof compareFiles>>;

/** A younger file without a row may still get one. */
const YOUNG_MS = 3 * 3_600_000;
const MAX_PROBLEMS = 100_000;

/** Compares what rows name with `files`, which must be those of the database. With `isReading` every file is read and hashed. */
export async function compareFiles(
  config: Config,
  files: StoredFiles,
  { isReading, signal }: { readonly isReading: boolean; readonly signal: AbortSignal },
) {
  await using snapshot = await openSnapshot(config);
  const { tables } = await readContent(snapshot);
  const unseen: FileName[] = [];
  const damaged: FileName[] = [];
  const orphans: FileName[] = [];
  let sound = 0;
  let young = 0;
  const add = (list: FileName[], file: FileName): void => {
    if (list.length === MAX_PROBLEMS)
      throw new CommandFailed(`More than ${MAX_PROBLEMS} files do not fit the database. Check the settings.`);
    list.push(file);
  };
  const hasHash = async ({ store, hash }: FileName): Promise<boolean> => {
    const stream = await files.open(store, hash, signal);
    // Without a stream it was deleted after it was listed.
    return !stream || (await sha256Of(stream)) === hash;
  };

  for (const store of STORES) {
    const named = namedFiles(snapshot, tables, store);
    let next = await named.next();
    // Rows first: what is stored after they were read is young.
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
      const isSound = next.value.size === size && (!isReading || (await hasHash({ store, hash })));
      if (isSound) sound += 1;
      else add(damaged, { store, hash });
      next = await named.next();
    }
    for (; !next.done; next = await named.next()) {
      if (next.value.isDue) add(unseen, { store, hash: next.value.hash });
    }
  }
  return {
    sound,
    missing: await stillLost({ config, files, tables, signal }, unseen),
    damaged,
    orphans,
    young,
  };
}

interface Place {
  readonly config: Config;
  readonly files: StoredFiles;
  readonly tables: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Which of these files are lost. The others arrived in the meantime, or their rows were deleted. */
export async function stillLost<File extends FileName & { readonly why?: 'missing' | 'damaged' }>(
  { config, files, tables, signal }: Place,
  unseen: readonly File[],
): Promise<File[]> {
  if (unseen.length === 0) return [];
  await using snapshot = await openSnapshot(config);
  const lost: File[] = [];
  for (const file of unseen) {
    const isThere = file.why !== 'damaged' && (await hasFile(files, file, signal));
    if (!isThere && (await isNamed(snapshot, tables, file))) lost.push(file);
  }
  return lost;
}

export function printFiles(problem: string, files: readonly FileName[], max: number): void {
  for (const { store, hash } of files.slice(0, max)) process.stderr.write(`${store}: ${hash} ${problem}.\n`);
}
