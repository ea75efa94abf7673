import type { Readable } from 'node:stream';

export interface StoredFile {
  /** SHA-256 of the content in lower-case hex: the name of the file in the store. */
  readonly hash: string;
  readonly size: number;
  /** Detected from the content. */
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
  /** Called before the file is stored. When it rejects, nothing is stored. */
  readonly accept?: (file: File) => Promise<void>;
  /** False for files that a power cut may lose, which saves waiting for the disk. */
  readonly isDurable?: boolean;
}

export interface PutFileOptions extends PutOptions<MeasuredFile> {
  /** A folder that must contain the file, even if links are followed; otherwise the file counts as missing. */
  readonly within?: string;
}

/** There is no plain file at the path. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

export interface OpenOptions {
  /** First byte, 0 by default. At or past the end nothing is read. */
  readonly start?: number;
  /** Last byte, inclusive as in HTTP. May be past the end. */
  readonly end?: number;
  readonly signal?: AbortSignal;
}

export interface OpenedFile {
  readonly size: number;
  /** Must be read to its end or destroyed; until then it holds a descriptor or a connection. */
  readonly stream: Readable;
}

export type Disposition = 'inline' | 'attachment';

export interface LinkOptions {
  /** Name of the downloaded file; any text, because it is cleaned. */
  readonly name: string;
  readonly mediaType: string;
  /** Milliseconds since 1970, rounded up to a whole second. */
  readonly expiresAt: number;
  /** What a browser could run is an attachment anyway. Pictures, video and sound default to inline. */
  readonly disposition?: Disposition;
}

export interface DirectUrlOptions {
  readonly seconds: number;
  readonly mediaType: string;
  /** The whole `Content-Disposition` header. */
  readonly disposition: string;
}

export interface DirectUpload {
  /** Names the upload for `putSent`. */
  readonly ticket: string;
  readonly url: string;
  /** Must be sent with the bytes. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller files are sent faster than a redirect to another server. */
export const DIRECT_BYTES = 2 ** 20;

/** Content-addressed, immutable files. A hash that is not 64 hex digits throws. */
export interface FileStore {
  /**
   * Stores and describes the content, durably unless the options say otherwise. Existing content is kept. A source longer than
   * `maxBytes` fails with `file.too_large`. A failure leaves nothing behind and destroys the source.
   */
  put(source: AsyncIterable<Uint8Array> | Readable, options: PutOptions): Promise<StoredFile>;
  /**
   * The same for a finished file on this machine. It must not be written to any more: if the disk allows it, the store and the
   * caller share one read-only file with two names. Rejects with `FileMissing`.
   */
  putFile(path: string, options: PutFileOptions): Promise<MeasuredFile>;
  /**
   * Puts the content at a path on this machine, in place of what may be there; if the disk allows it, as a second name of the
   * same read-only file. False when there is no such file. The path keeps it after a delete.
   */
  copyTo(hash: string, path: string): Promise<boolean>;
  stat(hash: string): Promise<{ readonly size: number } | undefined>;
  /**
   * `undefined` when there is no such file. An open file stays readable after a delete. A file that does not hash to its name
   * fails with `file.corrupt`, at the latest before its last bytes; from then on `stat` does not find it.
   */
  open(hash: string, options?: OpenOptions): Promise<OpenedFile | undefined>;
  delete(hash: string): Promise<boolean>;
  /** A temporary URL outside of this server for the file, if the store has such URLs. */
  readonly directUrl?: (hash: string, options: DirectUrlOptions) => Promise<string>;
  /** A temporary URL outside of this server that accepts exactly these bytes. `putSent` then stores them. */
  readonly directUpload?: (
    file: Pick<StoredFile, 'hash' | 'size'>,
    options: { readonly seconds: number },
  ) => Promise<DirectUpload>;
  /**
   * Stores what was sent to such a URL like `put`: it is read and hashed, whatever was announced. `undefined` when nothing was
   * sent. Afterwards nothing is left at the URL.
   */
  readonly putSent?: (ticket: string, options: PutOptions<MeasuredFile>) => Promise<MeasuredFile | undefined>;
  /** A temporary URL that gives the file to anyone who has it. Does not check that the file exists. */
  signedUrl(file: Pick<StoredFile, 'hash'>, options: LinkOptions): Promise<string>;
}

export const FILE_HASH = /^[0-9a-f]{64}$/;

/** Called before every use of a hash as a path or key, so that none leads out of the store. */
export function assertFileHash(hash: string): void {
  if (!FILE_HASH.test(hash)) throw new TypeError('A file hash has 64 lower-case hex digits.');
}

export function assertRange({ start = 0, end = Number.MAX_SAFE_INTEGER }: OpenOptions): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('A range has whole numbers from 0, and its end is not before its start.');
  }
}
