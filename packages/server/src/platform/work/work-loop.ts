import type { Clock } from '../clock.ts';
import { repeatEvery } from '../repeat-every.ts';

/** How an area claims, runs and recovers its items. */
export interface WorkParts<Item> {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Claims due items as long as there is room, and begins each. Never called concurrently or after the close. */
  claim(begin: (item: Item) => void): Promise<void>;
  /** `signal` aborts when the lease is lost or the server stops. */
  run(item: Item, signal: AbortSignal): Promise<void>;
  /** Saves what has ended, before the next claim and at the close. */
  flush?(): Promise<void>;
  /** Extends the leases of these items and returns the items still held. Without it a lease covers a whole run. */
  renew?(items: readonly Item[]): Promise<ReadonlySet<Item>>;
  /** Makes items of lost servers claimable again; true when there are any. Without it they are due when their lease ends. */
  recover?(): Promise<boolean>;
  /** When the next item that could be claimed is due. */
  nextDueAt?(): Promise<number | undefined>;
  /** Whether an item is aborted as soon as the server stops. Others have `closeMs` to end. */
  endsAtClose?(item: Item): boolean;
}

export interface WorkTimes {
  /** Finds items that another server has queued, and missed wake-ups. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  readonly sweepMs?: number;
  /** How long an ended item waits for others, to be saved in one transaction with them. */
  readonly gatherMs?: number;
  readonly closeMs?: number;
}

const STOPPING = new Error('The server is stopping.');
const MIN_ALARM_MS = 10;

/** The loop of jobs, tasks and deliveries: claims, runs under leases, renews, recovers, and stops without losing anything. */
export function createWorkLoop<Item>(parts: WorkParts<Item>, times: WorkTimes = {}) {
  const { clock, onError } = parts;
  const { pollMs = 1000, heartbeatMs = 4000, sweepMs = 2000, gatherMs = 0, closeMs = 0 } = times;
  const underWay = new Map<Item, { readonly abort: AbortController; ended: Promise<void> }>();
  const timers: (() => Promise<void>)[] = [];
  let isWanted = false;
  let turn: Promise<void> | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let closed: Promise<void> | undefined;
  const isClosing = (): boolean => closed !== undefined;

  /** One turn at a time, and one more if something woke the loop meanwhile. */
  async function takeTurns(): Promise<void> {
    try {
      while (isWanted) {
        isWanted = false;
        await parts.flush?.();
        if (isClosing()) continue;
        await parts.claim(begin);
        await setAlarm();
      }
    } catch (error) {
      onError(error);
    } finally {
      turn = undefined;
    }
  }

  function wake(): void {
    clearTimeout(gathering);
    gathering = undefined;
    isWanted = true;
    turn ??= takeTurns();
  }

  function begin(item: Item): void {
    const abort = new AbortController();
    const entry = { abort, ended: Promise.resolve() };
    underWay.set(item, entry);
    entry.ended = see(item, abort.signal);
  }

  async function see(item: Item, signal: AbortSignal): Promise<void> {
    let hasFailed = false;
    try {
      await parts.run(item, signal);
    } catch (error) {
      hasFailed = true;
      onError(error);
    }
    underWay.delete(item);
    // An item that fails at once is not tried again before the next poll.
    if (hasFailed) return;
    if (gatherMs > 0 && underWay.size > 0) gathering ??= setTimeout(wake, gatherMs);
    else wake();
  }

  /** For items that are due before the next poll. */
  async function setAlarm(): Promise<void> {
    const at = await parts.nextDueAt?.();
    clearTimeout(alarm);
    if (at === undefined || isClosing()) return;
    const ms = Math.max(at - clock(), MIN_ALARM_MS);
    if (ms < pollMs) alarm = setTimeout(wake, ms);
  }

  async function renew(): Promise<void> {
    const before = [...underWay];
    if (!parts.renew || before.length === 0) return;
    const held = await parts.renew(before.map(([item]) => item));
    for (const [item, { abort }] of before) if (!held.has(item)) abort.abort();
  }

  async function drain(): Promise<void> {
    for (;;) {
      wake();
      await turn;
      if (underWay.size === 0) return;
      await Promise.all(underWay.values().map(async ({ ended }) => await ended));
    }
  }

  async function closeAll(): Promise<void> {
    clearTimeout(alarm);
    await Promise.all(timers.map(async (stop) => await stop()));
    await turn;
    for (const [item, { abort }] of underWay) if (parts.endsAtClose?.(item)) abort.abort(STOPPING);
    const patience = setTimeout(() => {
      for (const { abort } of underWay.values()) abort.abort(STOPPING);
    }, closeMs);
    await drain();
    clearTimeout(patience);
  }

  return {
    /** Runs an item that was claimed by other means. */
    begin,
    running: (): Item[] => [...underWay.keys()],
    /** Something may be due. Called after the commit that made it so. */
    wake,
    /** Works on what is due, or becomes due meanwhile, until nothing is left. */
    drain,
    start(): void {
      const poll = async (): Promise<void> => {
        wake();
        await turn;
      };
      timers.push(repeatEvery(pollMs, poll, onError));
      if (parts.renew) timers.push(repeatEvery(heartbeatMs, renew, onError));
      const { recover } = parts;
      if (recover) {
        const sweep = async (): Promise<void> => {
          if (await recover()) wake();
        };
        timers.push(repeatEvery(sweepMs, sweep, onError));
      }
      wake();
    },
    abort(item: Item, reason?: Error): void {
      underWay.get(item)?.abort.abort(reason);
    },
    /** Claims nothing more and ends what is under way. May be called again. */
    async close(): Promise<void> {
      closed ??= closeAll();
      await closed;
    },
  };
}
