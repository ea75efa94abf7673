import { AtelierError, usageError } from '../errors.ts';
import type * as LocalFiles from './local-files.ts';

/** A file on this machine, as returned by `file('photo.jpg')`. */
export interface LocalFile {
  readonly kind: 'local-file';
  readonly path: string;
}

/** Anything that has bytes. In browsers a `File`, in Node also `file('photo.jpg')`. */
export type FileInput = Blob | Uint8Array | ArrayBuffer | LocalFile;

/** Bytes to upload, read again for each attempt. */
export interface FileSource {
  readonly name: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
  /** If absent, the bytes come from the disk. */
  readonly blob?: Blob;
  /** In hexadecimal digits; `undefined` where the platform cannot compute it. */
  sha256(): Promise<string | undefined>;
}

/** Refers to a file on this machine. It is read when needed. Not for browsers. */
export function file(path: string): LocalFile {
  return { kind: 'local-file', path };
}

/** Whether a value was returned by `file(path)`. */
export function isLocalFile(value: unknown): value is LocalFile {
  return typeof value === 'object' && value !== null && (value as LocalFile).kind === 'local-file';
}

export function isFileInput(value: unknown): value is FileInput {
  return (
    value instanceof Blob || value instanceof Uint8Array || value instanceof ArrayBuffer || isLocalFile(value)
  );
}

const DEFAULT_NAME = 'file';

export async function toSource(input: FileInput, name?: string): Promise<FileSource> {
  if (isLocalFile(input)) return await (await localFiles()).openSource(input.path, name);
  if (!isFileInput(input)) throw usageError('A file must be a File, a Blob, bytes, or file(path).');
  const blob = input instanceof Blob ? input : new Blob([input as Uint8Array<ArrayBuffer>]);
  return {
    name:
      name ??
      ('name' in blob && typeof blob.name === 'string' && blob.name !== '' ? blob.name : DEFAULT_NAME),
    size: blob.size,
    blob,
    stream: () => blob.stream(),
    sha256: async () => await sha256Of(await blob.arrayBuffer()),
  };
}

/** Pages loaded over plain http have no Web Crypto. */
export async function sha256Of(bytes: ArrayBuffer | Uint8Array): Promise<string | undefined> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) return undefined;
  const digest = await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Available only where there is a disk. Bundlers for browsers get a module that throws. */
export async function localFiles(): Promise<typeof LocalFiles> {
  try {
    return await import('#local-files');
  } catch (error) {
    throw new AtelierError('client.file', 'Files are named by a path in Node, Deno and Bun only.', {
      cause: error,
    });
  }
}
