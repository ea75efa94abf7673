import { Readable } from 'node:stream';

import { toIso } from '../clock.ts';
import type { FileStore } from '../files/file-store.ts';

/** A file in the archive of a user's data. */
export interface ExportedFile {
  /** Names separated by slashes. They come from users; `writeArchive` cleans them. */
  readonly path: string;
  /** `undefined` for a file that is gone. */
  readonly open: () => Promise<Readable | undefined>;
  /** Pictures and the like, which do not compress. */
  readonly isPacked?: boolean;
}

/** What one area keeps for a user. */
export type ExportUser = (userId: string) => AsyncIterable<ExportedFile>;

export function jsonFile(path: string, value: unknown): ExportedFile {
  return bytesFile(path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
}

export function bytesFile(path: string, bytes: Uint8Array): ExportedFile {
  return { path, open: async () => Readable.from([bytes]) };
}

/** Rows as lines of JSON, read a page at a time. */
export function jsonLines(path: string, pages: () => AsyncIterable<readonly object[]>): ExportedFile {
  async function* lines() {
    for await (const rows of pages()) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  return { path, open: async () => Readable.from(lines()) };
}

export function storedFile(path: string, store: Pick<FileStore, 'open'>, hash: string): ExportedFile {
  return { path, isPacked: true, open: async () => (await store.open(hash))?.stream };
}

/** Pages of a list; `list` gets the last row of the previous page. */
export async function* pagesOf<Row>(
  list: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let rows = await list(undefined);
  while (rows.length > 0) {
    yield rows;
    rows = await list(rows.at(-1));
  }
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}
