import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

let unpacked: Promise<Buffer> | undefined;

/**
 * The path of Aileron as a TrueType file. Its package has WOFF files only, which Pango does not open. Checked before every
 * use, because temporary folders are emptied now and then.
 */
export async function typefaceFile(): Promise<string> {
  const path = join(tmpdir(), 'atelier-aileron-regular.ttf');
  unpacked ??= readFile(
    new URL(import.meta.resolve('@fontsource/aileron/files/aileron-latin-400-normal.woff')),
  ).then(unpackWoff);
  const font = await unpacked;
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(font)) return path;
  const draft = `${path}.${process.pid}.${threadId}`;
  await writeFile(draft, font);
  await rename(draft, path);
  return path;
}

/** A WOFF file is a TrueType file with a longer directory and compressed tables. */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const parts = [directory];
  let end = directory.length;
  for (let index = 0; index < count; index++) {
    const from = WOFF_HEADER + index * WOFF_ENTRY;
    const to = SFNT_HEADER + index * SFNT_ENTRY;
    const [offset, packedLength, length] = [4, 8, 12].map((field) => woff.readUInt32BE(from + field)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(offset, offset + packedLength);
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    table.set(packedLength < length ? inflateSync(packed) : packed);
    woff.copy(directory, to, from, from + 4);
    woff.copy(directory, to + 4, from + 16, from + 20);
    directory.writeUInt32BE(end, to + 8);
    directory.writeUInt32BE(length, to + 12);
    parts.push(table);
    end += table.length;
  }
  return Buffer.concat(parts);
}
