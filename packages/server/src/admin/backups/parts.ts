import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import { FILE_HASH } from '../../platform/files/file-store.ts';
import { CommandFailed } from '../command.ts';
import { STORES } from '../named-files.ts';
import { sha256Of } from '../stored-files.ts';
import type { FileToCopy } from './copy-files.ts';
import type { Part } from './manifest.ts';

/** Compresses to about a fifth, at a third of the cost of the best level. */
const LEVEL = 3;
const CHUNK_CHARACTERS = 64 * 1024;
/** The largest values are files of users' data, of 10 MB. */
const MAX_LINE_CHARACTERS = 128 * 2 ** 20;

/** Writes lines as a compressed file, which is on the disk once this resolves. */
export async function writePart(
  folder: string,
  path: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<Part> {
  const hash = createHash('sha256');
  let bytes = 0;
  let count = 0;
  async function* chunks() {
    let text = '';
    for await (const line of lines) {
      count += 1;
      text += `${line}\n`;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  }
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  const file = createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(chunks()), createGzip({ level: LEVEL }), measure, file, { signal });
  return { path, lines: count, bytes, sha256: hash.digest('hex') };
}

/** The lines of a file that `checkPart` has passed. */
export async function* readPart(folder: string, { path }: Pick<Part, 'path'>): AsyncGenerator<string> {
  const text = createReadStream(join(folder, path)).pipe(createGunzip()).setEncoding('utf8');
  // Joined when the line ends: the longest lines arrive in hundreds of pieces.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of text as AsyncIterable<string>) {
    const [head = '', ...others] = chunk.split('\n');
    pieces.push(head);
    length += head.length;
    if (length > MAX_LINE_CHARACTERS) throw new CommandFailed(`${path} has a line that is too long.`);
    const rest = others.pop();
    if (rest === undefined) continue;
    yield pieces.join('');
    yield* others;
    pieces = [rest];
    length = rest.length;
  }
  if (length > 0) throw new CommandFailed(`${path} ends in the middle of a line.`);
}

/** What is wrong with the file, as text for people; `undefined` when it is intact. */
export async function checkPart(folder: string, { path, sha256 }: Part, signal: AbortSignal) {
  const file = await open(join(folder, path)).catch(() => undefined);
  if (!file) return `${path} is missing`;
  return (await sha256Of(file.createReadStream({ signal }))) === sha256 ? undefined : `${path} is damaged`;
}

export interface ListedFile extends FileToCopy {
  /** Whether it must be there. */
  readonly isDue: boolean;
}

/** A line of a list of files. Lists are ordered by store, then by hash. */
export function toFileLine({ store, hash, size, isDue }: ListedFile): string {
  return JSON.stringify([store, hash, size, isDue]);
}

export async function* readFileList(folder: string, list: Part): AsyncGenerator<ListedFile> {
  for await (const line of readPart(folder, list)) {
    const [name, hash, size, isDue] = JSON.parse(line) as unknown[];
    const store = STORES.find((each) => each === name);
    if (!store || typeof hash !== 'string' || !FILE_HASH.test(hash) || typeof size !== 'number')
      throw new CommandFailed("The backup's file list was not written by Atelier.");
    yield { store, hash, size, isDue: isDue === true };
  }
}
