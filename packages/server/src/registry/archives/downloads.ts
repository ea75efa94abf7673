import { type Db, withTransaction } from '../../platform/db/database.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';
import { addDownloads } from '../packs/packs.repo.ts';

const FLUSH_MS = 1000;

export type Downloads = ReturnType<typeof createDownloads>;

/** Counts in memory and writes once a second, so that an install writes nothing. */
export function createDownloads(db: Db, onError: (error: unknown) => void) {
  let counts = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (counts.size === 0) return;
    const written = counts;
    counts = new Map();
    await withTransaction(db, async (tx) => {
      // In a fixed order, so that two servers cannot deadlock.
      for (const [packId, count] of [...written].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
        await addDownloads(tx, packId, count);
      }
    });
  };

  const stop = repeatEvery(FLUSH_MS, flush, onError);
  return {
    count: (packId: string): void => {
      counts.set(packId, (counts.get(packId) ?? 0) + 1);
    },
    async close(): Promise<void> {
      await stop();
      await flush().catch(onError);
    },
  };
}
