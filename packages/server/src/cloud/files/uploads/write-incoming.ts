import { constants, open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { AppError } from '../../../platform/errors/app-error.ts';

interface IncomingOptions {
  readonly maxBytes: number;
  readonly tooLarge: () => AppError;
  readonly signal?: AbortSignal;
  /** The offset at which to write in a file that may exist already. */
  readonly start?: number;
}

/** Writes incoming bytes to a new file, or nowhere without a path, and returns their number. Once this rejects, nothing more is written. */
export async function writeIncoming(
  source: Readable | AsyncIterable<Uint8Array>,
  path: string | undefined,
  { maxBytes, tooLarge, signal, start }: IncomingOptions,
): Promise<number> {
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  };
  const flags = start === undefined ? 'wx' : constants.O_RDWR | constants.O_CREAT;
  await using handle = path === undefined ? undefined : await open(path, flags, 0o600);
  const target =
    handle?.createWriteStream({ start }) ?? new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(source, counted, target, signal ? { signal } : {});
    return size;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof AppError || isOfDisk(error) ? error : brokenForm(error);
  }
}

/** Whether the disk failed, and not the caller. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read';
}

export function brokenForm(cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : 'it breaks off';
  return new AppError('request.malformed', `The body cannot be read: ${reason}.`, { cause });
}
