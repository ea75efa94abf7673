import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createBLAKE3 } from 'hash-wasm';
import { errorCode } from '../errors/error-code.ts';
import type { MeasuredFile } from './file-store.ts';
import { HARD_LINK_UNSUPPORTED, READ_ONLY } from './link-files.ts';
import { DETECTION_BYTES, detectMediaType } from './media-types.ts';
import { isMissingFile } from './missing-file.ts';

/** Hard-links a finished file, or copies it if the disk has no links, and describes it. */
export interface TakeFile {
  readonly kind: 'take';
  readonly from: string;
  readonly to: string;
  readonly maxBytes: number;
  readonly isDurable: boolean;
  /** A folder that must contain the file. */
  readonly within: string | undefined;
}

/** Moves a finished file to its path, unless there is one already. */
export interface PlaceFile {
  readonly kind: 'place';
  readonly from: string;
  readonly to: string;
  /** A damaged copy that is no longer needed. */
  readonly aside: string;
  /** Folders whose entries are durable afterwards. */
  readonly syncFolders: readonly string[];
}

type FileVersion = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>;

export interface DiskAnswers {
  readonly take: MeasuredFile | 'too large' | 'missing';
  readonly place: FileVersion | 'taken';
}

export type DiskTask = TakeFile | PlaceFile;
export type DiskAnswer =
  | { readonly done: DiskAnswers[DiskTask['kind']] }
  | { readonly failed: { readonly message: string; readonly code: string } };

const READ_BYTES = 256 * 1024;

const piece = Buffer.allocUnsafeSlow(READ_BYTES);
const blake3 = await createBLAKE3();

export async function take({
  from,
  to,
  within,
  maxBytes,
  isDurable,
}: TakeFile): Promise<DiskAnswers['take']> {
  if (within !== undefined && !isReallyIn(within, from)) return 'missing';
  let file: number;
  try {
    if (!linkOrCopy(from, to, maxBytes)) return 'too large';
    // Symbolic links are not followed, and pipes do not block.
    file = openSync(to, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // The folder of the store may be missing instead.
    if (isMissingFile(error) && !isPlainFile(from)) return 'missing';
    throw error;
  }
  try {
    const before = fstatSync(file);
    if (!before.isFile()) return 'missing';
    if (before.size > maxBytes) return 'too large';
    const sha256 = createHash('sha256');
    blake3.init();
    const head = Buffer.alloc(Math.min(before.size, DETECTION_BYTES));
    for (let size = 0; size < before.size; ) {
      const bytes = piece.subarray(0, readSync(file, piece));
      if (bytes.length === 0) break;
      sha256.update(bytes);
      blake3.update(bytes);
      bytes.copy(head, Math.min(size, head.length));
      size += bytes.length;
    }
    if (isDurable) fsyncSync(file);
    fchmodSync(file, READ_ONLY);
    const after = fstatSync(file);
    if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) {
      throw new Error('The file was written to while it was read.');
    }
    const hashes = { hash: sha256.digest('hex'), blake3: blake3.digest('hex') };
    return { ...hashes, size: after.size, mediaType: await detectMediaType(head) };
  } finally {
    closeSync(file);
  }
}

/** False when the file cannot be linked and is too large to be copied. */
function linkOrCopy(from: string, to: string, maxBytes: number): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!HARD_LINK_UNSUPPORTED.has(errorCode(error))) throw error;
  }
  const found = lstatSync(from);
  // A copy would follow a symbolic link.
  if (!found.isFile()) throw Object.assign(new Error('It is not a plain file.'), { code: 'ENOENT' });
  if (found.size > maxBytes) return false;
  copyFileSync(from, to);
  return true;
}

function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether the path is in the folder even if links are followed. */
function isReallyIn(within: string, path: string): boolean {
  const folder = dirname(path);
  if (folder === within) return true;
  try {
    return realpathSync.native(folder) === join(realpathSync.native(within), relative(within, folder));
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

export function place({ from, to, aside, syncFolders }: PlaceFile): DiskAnswers['place'] {
  if (existsSync(to)) return 'taken';
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
  }
  const { size, mtimeMs, ino } = statSync(to);
  if (existsSync(aside)) rmSync(aside, { force: true });
  for (const folder of syncFolders) syncFolder(folder);
  return { size, mtimeMs, ino };
}

/** Makes renames in the folder durable. Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
