import { NodeError } from './node-error.ts';

export type FolderName = 'input' | 'output' | 'temp';

/** A file as messages name it. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FileRef {
  readonly folder: FolderName;
  readonly subfolder: string;
  readonly name: string;
}

/** The files of the user of a job. A node reaches nothing else on the disk through it. */
export interface JobFiles {
  /** The names of the files directly in a folder; empty if there is no such folder. May leave out names without `start`. */
  list(folder: FolderName, subfolder: string, start?: string): Promise<readonly string[]>;
  exists(ref: FileRef): Promise<boolean>;
  sizeBytes(ref: FileRef): Promise<number>;
  read(ref: FileRef): Promise<Uint8Array<ArrayBuffer>>;
  /** For libraries that read by path. */
  localPath(ref: FileRef): Promise<string>;
  /** SHA-256 of the content, in hex. */
  contentHash(ref: FileRef): Promise<string>;
  modifiedMs(ref: FileRef): Promise<number>;
  /** Throws `FileExists` if the name is taken. */
  create(ref: FileRef, content: Uint8Array): Promise<void>;
  /** Moves a finished local file here. Throws `FileExists` if the name is taken. */
  adopt(ref: FileRef, localPath: string): Promise<void>;
  /** A new path to write to, for example for an encoder. Removed when the job ends. */
  scratchPath(extension: string): Promise<string>;
}

/** For validation. */
export type FileNames = Pick<JobFiles, 'list' | 'exists'>;

export class FileExists extends Error {
  constructor(ref: FileRef) {
    super(`There is already a file ${ref.name}.`);
    this.name = 'FileExists';
  }
}

const ANNOTATION = / ?\[(input|output|temp)\]$/;

/** Reads a name such as `sub/name.png [output]`. */
export function parseFileName(text: string, fallback: FolderName = 'input'): FileRef {
  const annotation = ANNOTATION.exec(text)?.[1];
  const path = text.replace(ANNOTATION, '').replaceAll('\\', '/');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const name = parts.pop();
  if (
    name === undefined ||
    name === '..' ||
    parts.includes('..') ||
    path.includes('\0') ||
    path.startsWith('/')
  ) {
    throw new NodeError('FileNotFoundError', `Invalid file name: ${text}`);
  }
  return { folder: isFolderName(annotation) ? annotation : fallback, subfolder: parts.join('/'), name };
}

export function isFolderName(text: unknown): text is FolderName {
  return text === 'input' || text === 'output' || text === 'temp';
}
