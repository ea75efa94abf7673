/** Files on this machine. The only module that uses Node; it is loaded when a path is used. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { Readable } from 'node:stream';

import { AtelierError } from '../errors.ts';
import type { FileSource } from './file-input.ts';
import { safeFileName } from './safe-file-name.ts';

/** The limit for a name in nearly all file systems. */
const MAX_NAME_BYTES = 255;

export async function openSource(path: string, name = basename(path)): Promise<FileSource> {
  const found = await stat(path).catch((error: unknown) => {
    throw fileError(`"${path}" cannot be read`, error);
  });
  if (!found.isFile()) throw new AtelierError('client.file', `"${path}" is not a file.`);
  return {
    name,
    size: found.size,
    stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
    sha256: async () => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
      return hash.digest('hex');
    },
  };
}

interface Download {
  readonly path: string;
  /** The name of the file if `path` is a folder. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Known once the first part has arrived. */
  readonly sha256: () => string | undefined;
  readonly overwrite: boolean;
}

/** Writes to a temporary name and renames at the end, so an incomplete file never has the final name. */
export async function saveFile({ path, name, chunks, sha256, overwrite }: Download): Promise<string> {
  const isFolder = /[/\\]$/.test(path) || (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const target = isFolder ? join(path, safeFileName(name)) : path;
  // Short, because the final name may already have the maximum length.
  const part = join(dirname(target), `.${randomBytes(6).toString('hex')}.part`);
  const hash = createHash('sha256');
  try {
    await mkdir(dirname(target), { recursive: true });
    const handle = await open(part, 'wx');
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    const expected = sha256();
    if (expected !== undefined && hash.digest('hex') !== expected) throw corrupt(name);
    const place = overwrite ? target : await reserve(target);
    await rename(part, place);
    return place;
  } catch (error) {
    await unlink(part).catch(() => {});
    if (error instanceof Error && 'syscall' in error) throw fileError(`"${target}" cannot be written`, error);
    throw error;
  }
}

/** Creates an empty file under the first free name, so that two programs saving at the same time do not overwrite each other. */
async function reserve(target: string): Promise<string> {
  const { dir, name, ext } = parse(target);
  for (let count = 1; ; count += 1) {
    const place = count === 1 ? target : join(dir, `${shorten(name, `${ext} (${count})`)} (${count})${ext}`);
    try {
      await (await open(place, 'wx')).close();
      return place;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Leaves room for a suffix. */
function shorten(name: string, behind: string): string {
  const characters = Array.from(name);
  while (Buffer.byteLength(characters.join('') + behind) > MAX_NAME_BYTES) characters.pop();
  return characters.join('');
}

function corrupt(name: string): AtelierError {
  return new AtelierError('client.file', `${name} did not arrive as the server has it. Download it again.`, {
    isRetryable: true,
  });
}

function fileError(sentence: string, error: unknown): AtelierError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'this user may not',
    EPERM: 'this user may not',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk space of this user is used up',
    EFBIG: 'the file is larger than this system allows',
    EISDIR: 'it is a folder',
  };
  return new AtelierError('client.file', `${sentence}: ${reasons[code ?? ''] ?? message}.`, { cause: error });
}
