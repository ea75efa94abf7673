import { statfs } from 'node:fs/promises';

import type { Clock } from './clock.ts';
import { AppError } from './errors/app-error.ts';
import { memoizeFor } from './memoize-for.ts';

const FRESH_MS = 1000;

interface Parts {
  readonly folder: string;
  /** With less than this, no new work is accepted; 0 turns the check off. */
  readonly minFreeBytes: number;
  readonly clock: Clock;
  /** The disk has become too full for new work, or is no longer. */
  readonly onChange: (isLow: boolean, freeBytes: number) => void;
  readonly onError: (error: unknown) => void;
  readonly measure?: (folder: string) => Promise<number>;
}

export type FreeSpace = ReturnType<typeof createFreeSpace>;

/** Watches the disk of the data folder. New work is refused while there is still room to finish what was accepted. */
export function createFreeSpace(parts: Parts) {
  const { folder, minFreeBytes, clock, onChange, onError, measure = freeBytesOf } = parts;
  let wasLow = false;
  const look = memoizeFor(FRESH_MS, clock, async () => {
    const freeBytes = await measure(folder);
    const isLow = freeBytes < minFreeBytes;
    if (isLow !== wasLow) onChange(isLow, freeBytes);
    wasLow = isLow;
    return { freeBytes, isLow };
  });

  return {
    minFreeBytes,
    freeBytes: async (): Promise<number> => (await look()).freeBytes,
    isLow: async (): Promise<boolean> => (await look()).isLow,
    /** The error to answer new work with; `undefined` while there is room. */
    async refusal(): Promise<AppError | undefined> {
      try {
        return (await look()).isLow ? diskLow() : undefined;
      } catch (error) {
        // Saving will show whether there is room.
        onError(error);
        return undefined;
      }
    },
  };
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function diskLow(): AppError {
  return new AppError(
    'server.disk_low',
    'The disk of the server is almost full, so it accepts no new work and no files. Reading and deleting still work. Try again later; its operator has to make room.',
    { retryAfterSeconds: 60 },
  );
}
