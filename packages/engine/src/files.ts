import { NodeError } from './node-error.ts';

export type FolderName = 'input' | 'output' | 'temp';

/** A file as messages name it. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FileRef {
  readonly folder: FolderName;
  readonly subfolder: string;
  readonly name: string;
}

/** The files of one job's user. Nothing else of the disk is within a node's reach through it. */
export interface JobFiles {
  /**
   * Names of the files in that folder, not of those below it; empty when there is no such folder. With `start` it may leave out those
   * that start otherwise.
   */
  list(folder: FolderName, subfolder: string, start?: string): Promise<readonly string[]>;
  exists(ref: FileRef): Promise<boolean>;
  sizeBytes(ref: FileRef): Promise<number>;
  read(ref: FileRef): Promise<Uint8Array<ArrayBuffer>>;
  /** For libraries that read by path. */
  localPath(ref: FileRef): Promise<string>;
  /** SHA-256 of the content, in hex. */
  contentHash(ref: FileRef): Promise<string>;
  modifiedMs(ref: FileRef): Promise<number>;
  /** Makes a new file; throws `FileExists` when there is one of that name. */
  create(ref: FileRef, content: Uint8Array): Promise<void>;
  /** Moves a finished local file here; throws `FileExists` when there is one of that name. */
  adopt(ref: FileRef, localPath: string): Promise<void>;
  /** A path of its own to write to, such as for an encoder; removed when the job ends. */
  scratchPath(extension: string): Promise<string>;
}

/** What validating a workflow looks at. */
export type FileNames = Pick<JobFiles, 'list' | 'exists'>;

/** Another run has taken the name; take the next number. */
export class FileExists extends Error {
  constructor(ref: FileRef) {
    super(`There is already a file ${ref.name}.`);
    this.name = 'FileExists';
  }
}

const ANNOTATION = / ?\[(input|output|temp)\]$/;

/** Reads `sub/name.png [output]` as nodes are given it. */
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
