import type { FileStore } from '../../platform/files/file-store.ts';
import { say } from '../command.ts';
import { type FileName, STORES, type StoreName } from '../named-files.ts';
import type { StoredFiles } from '../stored-files.ts';
import { createProgress } from '../terminal.ts';

export interface FileToCopy extends FileName {
  readonly size: number;
}

interface CopyOptions {
  readonly from: StoredFiles;
  readonly to: StoredFiles;
  readonly signal: AbortSignal;
}

interface CopiedFile<File> {
  readonly file: File;
  /** A damaged file does not have its hash, and was not copied. */
  readonly outcome: 'copied' | 'found' | 'missing' | 'damaged';
}

const BATCH_SIZE = 16;

/**
 * Copies files from one installation or backup to another, and prints its progress. Each is hashed on the way. Files that are there already
 * are skipped, so an interrupted copy continues. Yields in the order of `list`.
 */
export async function* copyFiles<File extends FileToCopy>(
  list: AsyncIterable<File>,
  { from, to, signal }: CopyOptions,
): AsyncGenerator<CopiedFile<File>> {
  await using ending = new AsyncDisposableStack();
  const targets = new Map<StoreName, FileStore>();
  for (const store of STORES) {
    const opened = await to.openStore(store);
    ending.defer(async () => await opened.close());
    targets.set(store, opened);
  }
  let [copied, found, bytes] = [0, 0, 0];
  const report = () =>
    say(`files: copied ${copied} (${Math.round(bytes / 2 ** 20)} MB), already there ${found}.`);
  const progress = createProgress(report);

  async function copy(file: File): Promise<CopiedFile<File>> {
    const { store, hash, size } = file;
    const target = targets.get(store);
    if (!target) throw new Error(`There is no store ${store}.`);
    if ((await target.stat(hash))?.size === size) return { file, outcome: 'found' };
    const stream = await from.open(store, hash, signal);
    if (!stream) return { file, outcome: 'missing' };
    const accept = async (read: { readonly hash: string }) => {
      if (read.hash !== hash) throw new Damaged();
      await Promise.resolve();
    };
    try {
      await target.put(stream, { maxBytes: Number.MAX_SAFE_INTEGER, signal, accept });
      return { file, outcome: 'copied' };
    } catch (error) {
      if (error instanceof Damaged) return { file, outcome: 'damaged' };
      throw error;
    }
  }

  for await (const some of inBatches(list)) {
    signal.throwIfAborted();
    const results = await Promise.allSettled(some.map(copy));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    for (const result of results) {
      if (result.status !== 'fulfilled') continue;
      const { file, outcome } = result.value;
      if (outcome === 'copied') [copied, bytes] = [copied + 1, bytes + file.size];
      if (outcome === 'found') found += 1;
      progress();
      yield result.value;
    }
  }
  report();
}

class Damaged extends Error {
  override readonly name = 'Damaged';
}

async function* inBatches<T>(list: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of list) {
    batch.push(item);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
