import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '../../../platform/clock.ts';
import { randomToken } from '../../../platform/ids.ts';
import type { SingleFlight, Waiter } from '../single-flight.ts';

interface VariantCacheOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly maxBytes: number;
  /** How long an unused file stays. */
  readonly idleMs: number;
  readonly share: SingleFlight;
}

interface Entry {
  readonly size: number;
  readonly usedAt: number;
}

export type VariantCache = ReturnType<typeof createVariantCache>;

/** A cache of files that can be made again, by keys of letters, digits, dots and hyphens. It is read like a file store. */
export function createVariantCache(options: VariantCacheOptions) {
  const { folder, clock, maxBytes, idleMs, share } = options;
  let opened: Promise<Map<string, Entry>> | undefined;
  let bytes = 0;

  /** Least recently used first: a used entry is reinserted at the end. */
  async function entries(): Promise<Map<string, Entry>> {
    opened ??= readFolder();
    return await opened;
  }

  async function readFolder(): Promise<Map<string, Entry>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: [string, Entry][] = [];
    for (const name of await readdir(folder)) {
      const { size, mtimeMs } = await stat(join(folder, name));
      // An unfinished file, left by a crash.
      if (name.startsWith('.')) await rm(join(folder, name), { force: true, recursive: true });
      else found.push([name, { size, usedAt: mtimeMs }]);
    }
    bytes = found.reduce((sum, [, { size }]) => sum + size, 0);
    return new Map(found.toSorted(([, left], [, right]) => left.usedAt - right.usedAt));
  }

  async function drop(known: Map<string, Entry>, key: string): Promise<void> {
    bytes -= known.get(key)?.size ?? 0;
    known.delete(key);
    await rm(pathOf(key), { force: true });
  }

  function pathOf(key: string): string {
    if (!/^[\w-][\w.-]*$/.test(key)) throw new TypeError('A key has letters, digits, dots and hyphens.');
    return join(folder, key);
  }

  async function make(key: string, work: (path: string) => Promise<void>): Promise<void> {
    const known = await entries();
    const temporary = join(folder, `.${randomToken(16)}`);
    try {
      await work(temporary);
      const { size } = await stat(temporary);
      await rename(temporary, pathOf(key));
      known.set(key, { size, usedAt: clock() });
      bytes += size;
    } finally {
      await rm(temporary, { force: true });
    }
    for (const each of known.keys()) {
      // The new one is about to be read.
      if (bytes <= maxBytes || each === key) break;
      await drop(known, each);
    }
  }

  return {
    /** Makes the file unless it exists. Concurrent callers share one run, and nothing is made for callers that are gone. */
    async ensure(key: string, waiter: Waiter, work: (path: string) => Promise<void>): Promise<void> {
      const known = await entries();
      const entry = known.get(key);
      if (entry) {
        known.delete(key);
        known.set(key, { ...entry, usedAt: clock() });
        return;
      }
      await share(key, waiter, async () => await make(key, work));
    },

    async stat(key: string) {
      const entry = (await entries()).get(key);
      return entry && { size: entry.size };
    },

    async open(key: string, { start = 0, end }: { start?: number; end?: number } = {}) {
      if (!(await entries()).has(key)) return undefined;
      const handle = await open(pathOf(key), 'r');
      const { size } = await handle.stat();
      return { size, stream: handle.createReadStream({ start, end: Math.min(end ?? size, size - 1) }) };
    },

    async tidy(): Promise<void> {
      const known = await entries();
      for (const [key, { usedAt }] of known) {
        if (clock() - usedAt > idleMs) await drop(known, key);
      }
    },
  };
}
