import { createReadStream, type ReadStream } from 'node:fs';
import type { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';

import type { PackFile } from './files/choose-files.ts';
import { hasCode, PackError, quoted } from './pack-error.ts';

/** The first time that the format has, in any time zone. */
const MTIME = new Date(1980, 0, 1);
const PLAIN_FILE = 0o100644;

interface WriteOptions {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The same files make the same bytes: in the given order, without times and permissions. */
export async function writeZip(
  files: readonly PackFile[],
  { maxBytes, signal }: WriteOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let current: ReadStream | undefined;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { path, source, bytes } of files) {
    const entry = { mtime: MTIME, forceDosTimestamp: true, mode: PLAIN_FILE, size: bytes };
    zip.addReadStreamLazy(path, entry, (begin) => {
      current = createReadStream(source, { signal });
      current.on('error', (error) => output.destroy(unreadable(path, error)));
      begin(null, current);
    });
  }
  zip.end();

  const parts: Buffer[] = [];
  let total = 0;
  try {
    for await (const part of output as AsyncIterable<Buffer>) {
      total += part.length;
      if (total > maxBytes) {
        throw new PackError(
          `The archive of the pack has more than ${toMb(maxBytes)} MB. ${nameLargest(files)}`,
        );
      }
      parts.push(part);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!/unexpected number of bytes/.test(String(error))) throw error;
    throw new PackError('A file of the pack was changed while it was packed. Try again.', { cause: error });
  } finally {
    current?.destroy();
  }
  return new Uint8Array(Buffer.concat(parts));
}

function unreadable(path: string, error: Error): Error {
  if (!hasCode(error, 'ENOENT', 'EACCES', 'EPERM')) return error;
  return new PackError(`${quoted(path)} cannot be read. Check its permissions, and try again.`, {
    cause: error,
  });
}

/** The advice for a pack that is too large. */
export function nameLargest(files: readonly PackFile[]): string {
  const largest = files.toSorted((a, b) => b.bytes - a.bytes)[0];
  if (!largest) return '';
  return `Its largest file is ${quoted(largest.path)} with ${toMb(largest.bytes)} MB. List what the pack can do without in .comfyignore.`;
}

function toMb(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 10) / 10;
}
