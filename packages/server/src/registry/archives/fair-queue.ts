interface Options {
  readonly concurrency: number;
  readonly work: (item: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface Owner {
  readonly account: string;
  readonly publisher: string;
}

/**
 * Accounts take turns, and so do the publishers of an account. An account with work in progress comes after all others, so it uses every
 * slot only while no other waits.
 */
export function createFairQueue({ concurrency, work, onError }: Options) {
  const waiting = new Map<string, Owner>();
  const running = new Map<string, Owner & { readonly ended: Promise<void> }>();
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let isClosed = false;

  const noteTurn = ({ account, publisher }: Owner): void => {
    turns += 1;
    lastTurns.set(`account ${account}`, turns).set(`publisher ${publisher}`, turns);
  };

  /** The lowest rank is next. */
  const rankOf = ({ account, publisher }: Owner): number[] => {
    const active = [...running.values()];
    return [
      active.some((one) => one.account === account) ? 1 : 0,
      lastTurns.get(`account ${account}`) ?? 0,
      active.some((one) => one.publisher === publisher) ? 1 : 0,
      lastTurns.get(`publisher ${publisher}`) ?? 0,
    ];
  };

  const findNext = () => {
    let next: { item: string; owner: Owner; rank: number[] } | undefined;
    for (const [item, owner] of waiting) {
      if (running.has(item)) continue;
      const rank = rankOf(owner);
      if (!next || isBefore(rank, next.rank)) next = { item, owner, rank };
    }
    return next;
  };

  const start = (item: string, owner: Owner): void => {
    waiting.delete(item);
    noteTurn(owner);
    const ended = work(item)
      .catch(onError)
      .finally(() => {
        running.delete(item);
        noteTurn(owner);
        if (waiting.size === 0 && running.size === 0) lastTurns.clear();
        fill();
      });
    running.set(item, { ...owner, ended });
  };

  const fill = (): void => {
    while (running.size < concurrency) {
      const next = findNext();
      if (!next) return;
      start(next.item, next.owner);
    }
  };

  return {
    /** Does nothing for an item that waits. One in progress is worked on once more afterwards. */
    add(owner: Owner, item: string): void {
      if (isClosed) return;
      waiting.set(item, owner);
      fill();
    },
    /** Drops waiting items and waits for the work in progress. */
    async close(): Promise<void> {
      isClosed = true;
      waiting.clear();
      await Promise.all([...running.values()].map(async ({ ended }) => await ended));
    },
  };
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const place = left.findIndex((number, index) => number !== right[index]);
  return place !== -1 && (left[place] ?? 0) < (right[place] ?? 0);
}
