import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';

import type { InspectionLimits } from '../limits.ts';
import { checkEndRecords, checkOverlaps, locateEntry } from './archive-layout.ts';
import { createTakenPaths, type EntryPath, readEntryPath } from './entry-path.ts';
import {
  executableKind,
  isArchive,
  isPythonBytecode,
  isPythonSource,
  isUncheckedBytecode,
} from './file-kinds.ts';
import { isNotedByContent, NOTED_BYTES, notesOnFile } from './file-notes.ts';
import { createInflater } from './inflate-entry.ts';
import { shown, UnusableArchive } from './unusable-archive.ts';

const STORED = 0;
const DEFLATED = 8;
const MASKED_HEADERS = 0x2000;
/** 6.3, the last version of the format. */
const NEWEST_VERSION = 63;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
const REPARSE_POINT = 0x400;
/** The part at the beginning and end of a file that shows its kind. */
const EDGE_BYTES = 4096;
const README = /^readme\.md$/i;

export type ArchiveContent = Awaited<ReturnType<typeof readArchive>>;

interface Listed {
  readonly entry: Entry;
  readonly path: EntryPath;
}

/** Takes one file of an archive. `path` never leads out of the folder that it is joined to. */
export type TakeFile = (path: string, size: number, pieces: AsyncIterable<Buffer>) => Promise<void>;

/** Reads every byte of the archive once, within the limits. Throws an `UnusableArchive` at the first fault. */
export async function readArchive(archive: Buffer, limits: InspectionLimits) {
  const content = createContent(limits);
  return content.finish(await unpackArchive(archive, limits, content.add));
}

/** The same for callers that want the files. Returns the paths that are the same file where letter case does not count. */
export async function unpackArchive(
  archive: Buffer,
  limits: InspectionLimits,
  take: TakeFile,
): Promise<readonly string[]> {
  try {
    const zip = await fromBufferPromise(archive, { decodeStrings: false, validateEntrySizes: true });
    return await readEntries(archive, zip, { limits, take });
  } catch (error) {
    if (error instanceof UnusableArchive) throw error;
    throw new UnusableArchive(`The file is not a sound zip archive: ${sentenceOf(error)}`, { cause: error });
  }
}

async function readEntries(
  archive: Buffer,
  zip: ZipFile,
  { limits, take }: { readonly limits: InspectionLimits; readonly take: TakeFile },
): Promise<readonly string[]> {
  if (zip.entryCount === 0) throw new UnusableArchive('The archive is empty.');
  if (zip.entryCount > limits.entries) {
    throw new UnusableArchive(`The archive holds more than ${limits.entries} entries.`);
  }
  // A position, although the types say boolean.
  const start = Number(zip.readEntryCursor);
  const taken = createTakenPaths();
  const listed: Listed[] = [];
  let promised = 0;
  for await (const entry of zip.eachEntry()) {
    const one = { entry, path: checkEntry(entry, limits) };
    taken.take(one.path);
    promised += entry.uncompressedSize;
    if (promised > limits.inflatedBytes) {
      throw new UnusableArchive(`The archive unpacks to more than ${limits.inflatedBytes} bytes.`);
    }
    listed.push(one);
  }
  if (listed.every(({ path }) => path.isFolder)) throw new UnusableArchive('The archive is empty.');
  const directory = { start, end: Number(zip.readEntryCursor) };
  checkEndRecords(archive, zip, directory);

  const ranges = [];
  for (const { entry, path } of listed) ranges.push(await locateEntry(zip, entry, path.path));
  const headers = listed.map(({ entry }) => entry.relativeOffsetOfLocalHeader);
  checkOverlaps(ranges, headers, directory);

  const inflater = createInflater(archive.length, limits);
  for (const [index, { entry, path }] of listed.entries()) {
    const range = ranges[index];
    if (path.isFolder || !range) continue;
    const packed = {
      name: path.path,
      bytes: archive.subarray(range.start, range.end),
      isDeflated: entry.compressionMethod === DEFLATED,
      inflatedBytes: entry.uncompressedSize,
      crc32: entry.crc32,
    };
    await take(path.path, entry.uncompressedSize, inflater.inflate(packed));
  }
  return taken.collisions;
}

function checkEntry(entry: Entry, limits: InspectionLimits): EntryPath {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const path = readEntryPath(name, limits);
  const refuse = (why: string) => new UnusableArchive(`The entry ${shown(name)} ${why}.`);

  // A second name in the extra fields is for letters that the first cannot hold, not for another file.
  const raw = entry.fileNameRaw.toString('latin1').replaceAll(/[^\0-\x7f]/g, '_');
  readEntryPath(raw, { ...limits, nameLength: limits.nameLength * 4 });
  const isAscii = entry.fileNameRaw.every((byte) => byte < 0x80);
  if (isAscii && raw !== name) throw refuse('has two different names');

  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR_FILE && type !== FOLDER) throw refuse('is a link or a special file');
  if (entry.externalFileAttributes & REPARSE_POINT) throw refuse('is a link');
  if (entry.isEncrypted() || entry.generalPurposeBitFlag & MASKED_HEADERS) throw refuse('is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw refuse('is compressed in another way than deflate');
  }
  if (entry.versionNeededToExtract > NEWEST_VERSION) throw refuse('needs a newer unpacker than there is');
  if (path.isFolder && entry.uncompressedSize > 0) throw refuse('is a folder with content');
  return path;
}

function createContent(limits: InspectionLimits) {
  const paths = new Set<string>();
  const sources: { file: string; bytes: Buffer }[] = [];
  const unread: string[] = [];
  const executables: { file: string; kind: string; bytes: number }[] = [];
  const bytecode: { file: string; isUnchecked: boolean }[] = [];
  const archives: string[] = [];
  const noted: string[] = [];
  let pythonBytes = 0;
  let readme: string | undefined;

  return {
    async add(file: string, size: number, pieces: AsyncIterable<Buffer>): Promise<void> {
      paths.add(file);
      const isSource = isPythonSource(file);
      const isRead = isSource && size <= limits.pythonFileBytes && pythonBytes + size <= limits.pythonBytes;
      const isReadme = readme === undefined && README.test(file);
      let wantedBytes = isNotedByContent(file) ? NOTED_BYTES : 0;
      if (isReadme) wantedBytes = limits.readmeBytes;
      const kept: Buffer[] = [];
      let keptBytes = 0;
      let head: Buffer | undefined;
      let tail = Buffer.alloc(0);
      for await (const piece of pieces) {
        head ??= Buffer.from(piece.subarray(0, EDGE_BYTES));
        tail = Buffer.concat([tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
        if (!isRead && keptBytes >= wantedBytes) continue;
        kept.push(isRead ? piece : Buffer.from(piece.subarray(0, wantedBytes - keptBytes)));
        keptBytes += piece.length;
      }
      head ??= Buffer.alloc(0);
      if (isRead) {
        pythonBytes += size;
        sources.push({ file, bytes: Buffer.concat(kept) });
      } else if (isSource) unread.push(file);
      if (isReadme) readme = new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', '\uFFFD');
      const kind = executableKind(head);
      if (!kind && !isSource) noted.push(...notesOnFile(file, Buffer.concat(kept)));
      if (kind) executables.push({ file, kind, bytes: size });
      if (isPythonBytecode(file)) bytecode.push({ file, isUnchecked: isUncheckedBytecode(head) });
      if (isArchive(head, tail)) archives.push(file);
    },

    finish(collisions: readonly string[]) {
      const notes = [
        ...noted,
        ...archives.map((file) => `${shown(file)} is an archive itself; what it holds was not inspected.`),
        ...collisions.map((file) => `${shown(file)} differs from another path only in letter case.`),
      ];
      return { paths, sources, unread, executables, bytecode, archives, notes, readme };
    },
  };
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith('.') ? message : `${message}.`;
}
