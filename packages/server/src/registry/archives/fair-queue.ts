interface Options {
  /** How many are worked on at once. */
  readonly atOnce: number;
  readonly work: (item: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Whose an item is. */
export interface Owner {
  readonly account: string;
  readonly publisher: string;
}

export interface FairQueue {
  /** May be called again for what waits already. What is under way is worked on once more afterwards. */
  add(owner: Owner, item: string): void;
  /** Forgets what waits, and ends with what is under way. */
  close(): Promise<void>;
}

interface Turn extends Owner {
  readonly item: string;
}

/**
 * Accounts take turns, however much each of them has waiting, and so do the publishers of an account. Who has something
 * under way comes after everybody who has not, so that one account fills all places only while nobody else waits.
 */
export function createFairQueue({ atOnce, work, onError }: Options): FairQueue {
  /** Accounts, their publishers and the items of these. Whose turn is next stands first. */
  const waiting = new Map<string, Map<string, Set<string>>>();
  const underWay = new Map<string, Owner & { readonly ended: Promise<void> }>();
  let isClosed = false;

  const firstIdleItem = (items: ReadonlySet<string>): string | undefined => {
    for (const item of items) if (!underWay.has(item)) return item;
    return undefined;
  };

  /** Whoever has had a turn, or has one, stands behind all others. */
  const putLast = ({ account, publisher }: Owner): void => {
    const publishers = waiting.get(account);
    if (!publishers) return;
    moveToEnd(publishers, publisher);
    moveToEnd(waiting, account);
  };

  /** The first of a publisher that has nothing under way, or else of any. */
  const takeOf = (account: string, publishers: ReadonlyMap<string, ReadonlySet<string>>) => {
    const busy = new Set([...underWay.values()].map(({ publisher }) => publisher));
    let second: Turn | undefined;
    for (const [publisher, items] of publishers) {
      const item = firstIdleItem(items);
      if (item === undefined) continue;
      if (!busy.has(publisher)) return { account, publisher, item };
      second ??= { account, publisher, item };
    }
    return second;
  };

  const take = (): Turn | undefined => {
    const busy = new Set([...underWay.values()].map(({ account }) => account));
    let second: Turn | undefined;
    for (const [account, publishers] of waiting) {
      const turn = takeOf(account, publishers);
      if (!turn) continue;
      if (!busy.has(account)) return turn;
      second ??= turn;
    }
    return second;
  };

  const start = ({ item, ...owner }: Turn): void => {
    waiting.get(owner.account)?.get(owner.publisher)?.delete(item);
    putLast(owner);
    const ended = work(item)
      .catch(onError)
      .finally(() => {
        underWay.delete(item);
        putLast(owner);
        fill();
      });
    underWay.set(item, { ...owner, ended });
  };

  const fill = (): void => {
    while (underWay.size < atOnce) {
      const next = take();
      if (!next) return;
      start(next);
    }
  };

  return {
    add({ account, publisher }, item) {
      if (isClosed) return;
      const publishers = waiting.get(account) ?? new Map<string, Set<string>>();
      const items = publishers.get(publisher) ?? new Set();
      waiting.set(account, publishers.set(publisher, items.add(item)));
      fill();
    },
    async close() {
      isClosed = true;
      waiting.clear();
      await Promise.all([...underWay.values()].map(async ({ ended }) => await ended));
    },
  };
}

/** Drops what is empty. */
function moveToEnd<T extends { readonly size: number }>(turns: Map<string, T>, name: string): void {
  const value = turns.get(name);
  turns.delete(name);
  if (value && value.size > 0) turns.set(name, value);
}
