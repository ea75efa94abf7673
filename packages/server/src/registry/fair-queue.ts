interface Options {
  /** How many are worked on at once. */
  readonly atOnce: number;
  readonly work: (item: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface FairQueue {
  /** May be called again for what waits already. What is under way is worked on once more afterwards. */
  add(owner: string, item: string): void;
  /** Forgets what waits, and ends with what is under way. */
  close(): Promise<void>;
}

/**
 * Owners take turns, however much each of them has waiting. Who has something under way comes after everybody who
 * has not, so that one owner fills all places only while nobody else waits.
 */
export function createFairQueue({ atOnce, work, onError }: Options): FairQueue {
  /** Whose turn is next stands first. */
  const waiting = new Map<string, Set<string>>();
  const underWay = new Map<string, { readonly owner: string; readonly ended: Promise<void> }>();
  let isClosed = false;

  const firstIdleItem = (items: ReadonlySet<string>): string | undefined => {
    for (const item of items) if (!underWay.has(item)) return item;
    return undefined;
  };

  /** Whoever has had a turn, or has one, stands behind all others. */
  const putLast = (owner: string): void => {
    const items = waiting.get(owner);
    waiting.delete(owner);
    if (items && items.size > 0) waiting.set(owner, items);
  };

  const take = (): { owner: string; item: string } | undefined => {
    const busy = new Set([...underWay.values()].map(({ owner }) => owner));
    let second: { owner: string; item: string } | undefined;
    for (const [owner, items] of waiting) {
      const item = firstIdleItem(items);
      if (item === undefined) continue;
      if (!busy.has(owner)) return { owner, item };
      second ??= { owner, item };
    }
    return second;
  };

  const start = ({ owner, item }: { owner: string; item: string }): void => {
    waiting.get(owner)?.delete(item);
    putLast(owner);
    const ended = work(item)
      .catch(onError)
      .finally(() => {
        underWay.delete(item);
        putLast(owner);
        fill();
      });
    underWay.set(item, { owner, ended });
  };

  const fill = (): void => {
    while (underWay.size < atOnce) {
      const next = take();
      if (!next) return;
      start(next);
    }
  };

  return {
    add(owner, item) {
      if (isClosed) return;
      const items = waiting.get(owner) ?? new Set();
      items.add(item);
      waiting.set(owner, items);
      fill();
    },
    async close() {
      isClosed = true;
      waiting.clear();
      await Promise.all([...underWay.values()].map(async ({ ended }) => await ended));
    },
  };
}
