import type { Clock } from '../../platform/clock.ts';

/** Download counts do not change the revision, so nothing that is sent is older than this. */
const LONGEST_LIFE_MS = 60_000;

/** What an entry takes besides its key and value, roughly. */
const ENTRY_BYTES = 1024;

export interface Keepable {
  /** What it takes in memory, roughly. */
  readonly bytes: number;
  /** When the oldest thing in it was read. */
  readonly madeAt: number;
}

interface Entry<T> {
  readonly made: Promise<T>;
  readonly revision: number;
  /** Absent while it is made. */
  value?: T;
  bytes: number;
}

export type Kept<T extends Keepable> = ReturnType<typeof createKept<T>>;

/** Values of one kind, each good for one revision of the catalogue and a minute at most; the oldest go first. */
export function createKept<T extends Keepable>({ clock, maxBytes }: { clock: Clock; maxBytes: number }) {
  const entries = new Map<string, Entry<T>>();
  let heldBytes = 0;

  const drop = (key: string): void => {
    heldBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  const weigh = (key: string, entry: Entry<T>, value: T): void => {
    if (entries.get(key) !== entry) return;
    heldBytes -= entry.bytes;
    entry.bytes = value.bytes + key.length * 2 + ENTRY_BYTES;
    heldBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (heldBytes <= maxBytes) break;
      if (oldest !== key) drop(oldest);
    }
  };

  return {
    maxBytes,

    /** Forgets one value, for a caller that wants it made anew. */
    forget: drop,

    /** Called when a value that is kept takes more than before, or less. */
    changedSize(key: string, value: T): void {
      const entry = entries.get(key);
      if (entry?.value === value) weigh(key, entry, value);
    },

    /** Many callers that ask at once for the same wait for one making. It gets what is too old. */
    async get(revision: number, key: string, make: (previous?: T) => Promise<T>): Promise<T> {
      const found = entries.get(key);
      if (found?.revision === revision) {
        if (!found.value) return await found.made;
        if (clock() - found.value.madeAt < LONGEST_LIFE_MS) return found.value;
      }
      drop(key);
      const entry: Entry<T> = { made: make(found?.value), revision, bytes: 0 };
      entries.set(key, entry);
      try {
        const value = await entry.made;
        entry.value = value;
        weigh(key, entry, value);
        return value;
      } catch (error) {
        if (entries.get(key) === entry) drop(key);
        throw error;
      }
    },
  };
}
