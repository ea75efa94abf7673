import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The offset after the signature and the header chunk, which come first in every PNG. */
const AFTER_HEADER = SIGNATURE.length + 25;
const TEXT_TYPES = new Set(['tEXt', 'zTXt', 'iTXt']);
const MAX_TEXT_BYTES = 32 * 1024 * 1024;
const MAX_CHUNKS = 100_000;

/** The text chunks of a PNG, unchanged, such as the workflow that made it. Empty for any other file. */
export async function readTextChunks(path: string): Promise<readonly Uint8Array[]> {
  await using handle = await open(path, 'r');
  if (!(await readAt(handle, 0, SIGNATURE.length)).equals(SIGNATURE)) return [];
  const found: Uint8Array[] = [];
  let left = MAX_TEXT_BYTES;
  let at = SIGNATURE.length;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await readAt(handle, at, 8);
    if (head.length < 8) break;
    const length = head.readUInt32BE(0) + 12;
    const type = head.toString('latin1', 4, 8);
    if (type === 'IEND') break;
    if (TEXT_TYPES.has(type) && length <= left) {
      const chunk = await readAt(handle, at, length);
      if (isWhole(chunk, length)) {
        found.push(chunk);
        left -= length;
      }
    }
    at += length;
  }
  return found;
}

/** Copies a PNG and inserts the chunks after its header. */
export async function copyWithChunks(from: string, to: string, chunks: readonly Uint8Array[]): Promise<void> {
  const source = async function* () {
    yield* createReadStream(from, { end: AFTER_HEADER - 1 });
    yield* chunks;
    yield* createReadStream(from, { start: AFTER_HEADER });
  };
  await pipeline(source, createWriteStream(to, { mode: 0o600 }));
}

function isWhole(chunk: Buffer, length: number): boolean {
  return chunk.length === length && crc32(chunk.subarray(4, length - 4)) === chunk.readUInt32BE(length - 4);
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
