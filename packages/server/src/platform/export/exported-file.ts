import { Readable } from 'node:stream';

import { toIso } from '../clock.ts';
import type { FileStore } from '../files/file-store.ts';

/** A file in the archive of what a user has. */
export interface ExportedFile {
  /** Names with slashes between them. They come from users: what writes the archive cleans them. */
  readonly path: string;
  /** Opened when it is its turn; `undefined` for a file that is gone. */
  readonly open: () => Promise<Readable | undefined>;
  /** Of pictures and the like, which do not get smaller. */
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

/** Pages of a list, each asked for by the last row of the one before. */
export async function* pagesOf<Row>(
  list: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await list(last);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

/** Moments as text, as everywhere else on the wire. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}
