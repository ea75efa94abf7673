import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Clock } from '../platform/clock.ts';

const compress = promisify(gzip);

/** An answer as it goes over the wire. */
export interface Rendered {
  readonly body: Buffer;
  readonly etag: string;
  /** Made when the first caller that takes it asks. */
  gzipped(): Promise<Buffer>;
}

interface Entry {
  readonly rendered: Promise<Rendered>;
  readonly revision: number;
  readonly madeAt: number;
  bytes: number;
}

interface Options {
  readonly clock: Clock;
  readonly readRevision: () => Promise<number>;
  /** How long a revision is believed although another server may have changed the catalogue. */
  readonly believeMs: number;
  readonly maxBytes: number;
}

/** Download counts do not change the revision, so no answer is older than this. */
const LONGEST_LIFE_MS = 60_000;

/** What an entry takes besides its key and body, roughly. */
const ENTRY_BYTES = 1024;

export type CatalogueCache = ReturnType<typeof createCatalogueCache>;

/**
 * Answers of the catalogue, rendered once and sent many times. An entry is good while the catalogue's revision
 * is the one it was made from; a change made by this server is seen by the next request.
 */
export function createCatalogueCache({ clock, readRevision, believeMs, maxBytes }: Options) {
  const entries = new Map<string, Entry>();
  let heldBytes = 0;
  let changes = 0;
  let known: { revision: number; readAt: number } | undefined;

  const currentRevision = async (): Promise<number> => {
    if (known && clock() - known.readAt < believeMs) return known.revision;
    const [readAt, changesBefore] = [clock(), changes];
    const revision = await readRevision();
    // A change that came while it was read makes it old already.
    if (changes === changesBefore) known = { revision, readAt };
    return revision;
  };

  const drop = (key: string): void => {
    heldBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  const keep = (key: string, entry: Entry, bytes: number): void => {
    if (entries.get(key) !== entry) return;
    entry.bytes = bytes;
    heldBytes += bytes;
    for (const oldest of entries.keys()) {
      if (heldBytes <= maxBytes || oldest === key) break;
      drop(oldest);
    }
  };

  return {
    /** Called after every change of the catalogue by this server. */
    changed(): void {
      changes += 1;
      known = undefined;
    },

    /** Forgets one answer, for a caller that wants it made anew. */
    forget(key: string): void {
      drop(key);
    },

    /** Many callers that ask at once for the same wait for one rendering. */
    async get(key: string, render: () => Promise<unknown>): Promise<Rendered> {
      const revision = await currentRevision();
      const found = entries.get(key);
      if (found?.revision === revision && clock() - found.madeAt < LONGEST_LIFE_MS)
        return await found.rendered;

      drop(key);
      const rendered = render().then(toRendered);
      const entry: Entry = { rendered, revision, madeAt: clock(), bytes: 0 };
      entries.set(key, entry);
      try {
        const { body } = await rendered;
        keep(key, entry, body.byteLength + key.length * 2 + ENTRY_BYTES);
      } catch (error) {
        if (entries.get(key) === entry) drop(key);
        throw error;
      }
      return await rendered;
    },
  };
}

function toRendered(value: unknown): Rendered {
  const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  let gzipped: Promise<Buffer> | undefined;
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    gzipped: async () => {
      gzipped ??= compress(body);
      return await gzipped;
    },
  };
}
