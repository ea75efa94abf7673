import type { Entry, ZipFile } from 'yauzl';

import { shown, UnusableArchive } from './unusable-archive.ts';

const END_RECORD_BYTES = 22;
const ZIP64_END_RECORDS_BYTES = 56 + 20;
const ZIP64_END_SIGNATURE = 0x06064b50;
const IN_ZIP64 = 0xffffffff;
const IS_ENCRYPTED = 0x1;
const HAS_DATA_DESCRIPTOR = 0x8;
const IS_UTF8 = 0x800;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export interface Directory {
  readonly start: number;
  readonly end: number;
}

/**
 * Readers disagree about an archive whose parts do not join: one trusts the number of entries, another the size of the
 * directory, a third searches for it. The inspected files must be those that everyone extracts.
 */
export function checkEndRecords(archive: Buffer, zip: ZipFile, { start, end }: Directory): void {
  const endRecord = archive.length - END_RECORD_BYTES - zip.comment.length;
  const size = archive.readUInt32LE(endRecord + 12);
  const offset = archive.readUInt32LE(endRecord + 16);
  const isPlain = endRecord === end && size === end - start && offset === start;
  if (isPlain) return;

  const isZip64 =
    endRecord === end + ZIP64_END_RECORDS_BYTES &&
    archive.readUInt32LE(end) === ZIP64_END_SIGNATURE &&
    archive.readBigUInt64LE(end + 40) === BigInt(end - start) &&
    archive.readBigUInt64LE(end + 48) === BigInt(start) &&
    archive.readBigUInt64LE(end + 56 + 8) === BigInt(end) &&
    (size === IN_ZIP64 || size === end - start) &&
    (offset === IN_ZIP64 || offset === start);
  if (!isZip64) {
    throw new UnusableArchive(
      "The archive's directory is not where, or not as long as, its end record says.",
    );
  }
}

/** Locates the bytes of an entry, after checking that its own header agrees with the directory. */
export async function locateEntry(zip: ZipFile, entry: Entry, name: string): Promise<Range> {
  const header = await zip.readLocalFileHeaderPromise(entry);
  const agrees =
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === entry.compressionMethod &&
    ((header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & (IS_ENCRYPTED | IS_UTF8)) === 0 &&
    ((header.generalPurposeBitFlag & HAS_DATA_DESCRIPTOR) !== 0 ||
      (header.crc32 === entry.crc32 &&
        isSameSize(header.compressedSize, entry.compressedSize) &&
        isSameSize(header.uncompressedSize, entry.uncompressedSize)));
  if (!agrees)
    throw new UnusableArchive(`The two headers of the entry ${shown(name)} contradict each other.`);
  return { start: header.fileDataStart, end: header.fileDataStart + entry.compressedSize, name };
}

/** Overlapping entries make small archives that never end. In a sound archive, each byte has one place. */
export function checkOverlaps(
  ranges: readonly Range[],
  headers: readonly number[],
  directory: Directory,
): void {
  const used = ranges.map((range, index) => ({ ...range, start: headers[index] ?? range.start }));
  used.push({ ...directory, name: 'the directory' });
  used.sort((a, b) => a.start - b.start);
  for (const [index, range] of used.entries()) {
    const next = used[index + 1];
    if (next && next.start < range.end) {
      throw new UnusableArchive(`The entries ${shown(range.name)} and ${shown(next.name)} overlap.`);
    }
  }
}

function isSameSize(local: number, central: number): boolean {
  return local === central || local === IN_ZIP64;
}
