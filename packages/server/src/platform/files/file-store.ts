import type { Readable } from 'node:stream';

export interface StoredFile {
  /** SHA-256 of the content in lower-case hex: the file's only name in the store. */
  readonly hash: string;
  readonly size: number;
  /** Detected from the content, never taken from a caller. */
  readonly mediaType: string;
}

/** A file that was read on this machine. */
export interface MeasuredFile extends StoredFile {
  /** In lower-case hex. */
  readonly blake3: string;
}

export interface PutOptions<File extends StoredFile = StoredFile> {
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Sees what has come before any of it is kept; when it rejects, nothing is. */
  readonly accept?: (file: File) => Promise<void>;
  /** False for what may be lost in a power cut: it saves waiting for the disk. */
  readonly isDurable?: boolean;
}

export interface PutFileOptions extends PutOptions<MeasuredFile> {
  /** The folder that it must be in, also when links are followed; otherwise it counts as missing. */
  readonly within?: string;
}

/** There is nothing at the path, or not a plain file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

export interface OpenOptions {
  /** First byte, 0 by default. At or past the end of the file it reads nothing. */
  readonly start?: number;
  /** Last byte, included, as in HTTP; past the end it means the end. */
  readonly end?: number;
  readonly signal?: AbortSignal;
}

export interface OpenedFile {
  readonly size: number;
  /** Read it to its end or destroy it: until then it holds a descriptor or a connection. */
  readonly stream: Readable;
}

export type Disposition = 'inline' | 'attachment';

export interface LinkOptions {
  /** What the downloaded file is called. Any text: it is cleaned. */
  readonly name: string;
  readonly mediaType: string;
  /** Milliseconds since 1970, rounded up to a whole second. */
  readonly expiresAt: number;
  /** A wish: what a browser could run is an attachment anyway. Pictures, video and sound default to inline. */
  readonly disposition?: Disposition;
}

export interface DirectUrlOptions {
  readonly seconds: number;
  readonly mediaType: string;
  /** A whole `Content-Disposition`. */
  readonly disposition: string;
}

export interface DirectUpload {
  /** Stands for what will be sent. */
  readonly ticket: string;
  readonly url: string;
  /** To be sent with the bytes, as they are. */
  readonly headers: Readonly<Record<string, string>>;
}

/** It takes longer to ask another server than to send less. */
export const DIRECT_BYTES = 2 ** 20;

/** Content-addressed, immutable files. A hash that is not 64 hex digits is a bug of the caller and throws. */
export interface FileStore {
  /**
   * Keeps the content and describes it; it is durable once this resolves, unless the options say otherwise. Content that is already there is
   * kept as it is. A source that is longer than `maxBytes` fails with `file.too_large`. After any failure
   * nothing is left behind, and a source that was begun is destroyed.
   */
  put(source: AsyncIterable<Uint8Array> | Readable, options: PutOptions): Promise<StoredFile>;
  /**
   * The same for a finished file on this machine, which nobody may write to any more: where the disk allows it, the store
   * and the caller have the same file under two names afterwards, and it is read-only. Rejects with `FileMissing`.
   */
  putFile(path: string, options: PutFileOptions): Promise<MeasuredFile>;
  /**
   * Makes the content appear at a path on this machine, in place of what may be there; where the disk allows it, as a second name
   * of the same read-only file. `false` when there is no such file. The path keeps it after a delete.
   */
  copyTo(hash: string, path: string): Promise<boolean>;
  stat(hash: string): Promise<{ readonly size: number } | undefined>;
  /**
   * `undefined` when there is no such file. What is open stays readable after a delete. A file that is found not to hash to
   * its name fails with `file.corrupt`, at the latest before its last bytes; after that there is none by `stat`.
   */
  open(hash: string, options?: OpenOptions): Promise<OpenedFile | undefined>;
  delete(hash: string): Promise<boolean>;
  /** An address outside of this server that gives the file out for so long; a store that has none leaves this out. */
  readonly directUrl?: (hash: string, options: DirectUrlOptions) => Promise<string>;
  /** An address outside of this server that takes exactly these bytes, for so long. `putSent` then makes them a file. */
  readonly directUpload?: (
    file: Pick<StoredFile, 'hash' | 'size'>,
    options: { readonly seconds: number },
  ) => Promise<DirectUpload>;
  /**
   * Keeps what was sent to such an address as `put` would: it is read and hashed, whatever was announced. `undefined` when nothing has come
   * there. Once this ends, nothing is left at the address.
   */
  readonly putSent?: (ticket: string, options: PutOptions<MeasuredFile>) => Promise<MeasuredFile | undefined>;
  /** A URL that gives this file to whoever holds it, until it expires. Says nothing of whether the file exists. */
  signedUrl(file: Pick<StoredFile, 'hash'>, options: LinkOptions): Promise<string>;
}

export const FILE_HASH = /^[0-9a-f]{64}$/;

/** Stands before every use of a hash as a path or key, so that none can lead out of the store. */
export function assertFileHash(hash: string): void {
  if (!FILE_HASH.test(hash)) throw new TypeError('A file hash has 64 lower-case hex digits.');
}

export function assertRange({ start = 0, end = Number.MAX_SAFE_INTEGER }: OpenOptions): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('A range has whole numbers from 0, and its end is not before its start.');
  }
}
