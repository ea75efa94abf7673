import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Clock } from '../../platform/clock.ts';

/** Download counts do not change the revision, so cached answers expire. */
const MAX_AGE_MS = 60_000;
/** Approximate size of an entry besides its key and body. */
const ENTRY_BYTES = 1024;
/** JSON compresses to less than half of its size; both forms are cached. */
const BYTES_PER_BODY_BYTE = 1.5;

const compress = promisify(gzip);

export interface CachedAnswer {
  /** Hash of the body, without quotes: the same content has the same tag on every server. */
  readonly tag: string;
  readonly body: Buffer;
  readonly gzipped: () => Promise<Buffer>;
  /** The right spelling, when a pack was requested with an id in another case. */
  readonly movedTo?: string;
}

export function toAnswer(json: string): CachedAnswer {
  const body = Buffer.from(json);
  let gzipped: Promise<Buffer> | undefined;
  return {
    tag: hash('sha256', body, 'base64url').slice(0, 27),
    body,
    gzipped: async () => await (gzipped ??= compress(body)),
  };
}

interface Entry {
  readonly answer: Promise<CachedAnswer>;
  readonly revision: number;
  readonly madeAt: number;
  bytes: number;
}

interface Options {
  readonly clock: Clock;
  readonly readRevision: () => Promise<number>;
  /** How long the revision is trusted although another server may have changed the catalogue. */
  readonly revisionMaxAgeMs: number;
  readonly maxBytes: number;
}

export type CatalogueCache = ReturnType<typeof createCatalogueCache>;

/**
 * Caches whole answers while the revision of the catalogue stays the same, and drops the least recently used first. A change by this server
 * is visible to its next request.
 */
export function createCatalogueCache({ clock, readRevision, revisionMaxAgeMs, maxBytes }: Options) {
  const entries = new Map<string, Entry>();
  let totalBytes = 0;
  let changes = 0;
  let known: { revision: number; readAt: number } | undefined;

  const currentRevision = async (): Promise<number> => {
    if (known && clock() - known.readAt < revisionMaxAgeMs) return known.revision;
    const [readAt, changesBefore] = [clock(), changes];
    const revision = await readRevision();
    // A change during the read makes it outdated.
    if (changes === changesBefore) known = { revision, readAt };
    return revision;
  };

  const drop = (key: string): void => {
    totalBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  const put = (key: string, entry: Entry): void => {
    drop(key);
    entries.set(key, entry);
    totalBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (totalBytes <= maxBytes) break;
      drop(oldest);
    }
  };

  return {
    drop,

    /** Called after every change of the catalogue by this server. */
    changed(): void {
      changes += 1;
      known = undefined;
    },

    /** Concurrent requests for the same key share one call of `make`. */
    async get(key: string, make: () => Promise<CachedAnswer>): Promise<CachedAnswer> {
      // Read before the answer is made: an answer may be newer than its revision, but never older.
      const revision = await currentRevision();
      const found = entries.get(key);
      if (found?.revision === revision && clock() - found.madeAt < MAX_AGE_MS) {
        put(key, found);
        return await found.answer;
      }
      const entry: Entry = { answer: make(), revision, madeAt: clock(), bytes: ENTRY_BYTES };
      put(key, entry);
      try {
        const answer = await entry.answer;
        if (entries.get(key) === entry) {
          totalBytes -= entry.bytes;
          entry.bytes = ENTRY_BYTES + key.length * 2 + answer.body.byteLength * BYTES_PER_BODY_BYTE;
          totalBytes += entry.bytes;
          put(key, entry);
        }
        return answer;
      } catch (error) {
        if (entries.get(key) === entry) drop(key);
        throw error;
      }
    },
  };
}
