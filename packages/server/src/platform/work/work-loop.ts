import type { Clock } from '../clock.ts';
import { repeatEvery } from '../repeat-every.ts';

/** The rows that a loop works on, and the rules of the area they belong to. */
export interface WorkParts<Item> {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Claims items that are due as long as there is room, and begins each. Never called twice at once, nor after the close. */
  claim(begin: (item: Item) => void): Promise<void>;
  /** Works on an item to its end. `signal` aborts when its lease is lost or the server stops. */
  run(item: Item, signal: AbortSignal): Promise<void>;
  /** Writes down what has ended, before the next claim and at the close. */
  flush?(): Promise<void>;
  /** Extends the leases of these items and returns those that are still held. Without it a lease covers a whole run. */
  renew?(items: readonly Item[]): Promise<ReadonlySet<Item>>;
  /** Makes items claimable again whose server is lost; true when there are some. Without it they are due when their lease ends. */
  recover?(): Promise<boolean>;
  /** When the next item is due, if anything can be claimed then. */
  nextDueAt?(): Promise<number | undefined>;
  /** Whether an item is aborted as soon as the server stops. Others have `closeMs` to end by themselves. */
  endsAtClose?(item: Item): boolean;
}

export interface WorkTimes {
  /** The safety net under the wake-ups: what another server has queued is found after this time at the latest. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  readonly sweepMs?: number;
  /** How long an item that has ended waits for others, so that all of them are written in one transaction. */
  readonly gatherMs?: number;
  readonly closeMs?: number;
}

export interface WorkLoop<Item> {
  /** Items under way. */
  running(): Item[];
  start(): void;
  /** Something may be due. Called after the commit that made it so. */
  wake(): void;
  /** Works on an item that was claimed by other means. */
  begin(item: Item): void;
  abort(item: Item, reason?: Error): void;
  /** Works on what is due and what becomes due meanwhile, and resolves when nothing is. */
  drain(): Promise<void>;
  /** Claims nothing more and ends what is under way. May be called again. */
  close(): Promise<void>;
}

const STOPPING = new Error('The server is stopping.');
const MIN_ALARM_MS = 10;

/** The one loop of jobs, tasks and deliveries: claim, run under a lease, renew, recover, and stop without losing anything. */
export function createWorkLoop<Item>(parts: WorkParts<Item>, times: WorkTimes = {}): WorkLoop<Item> {
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

  /** Never two turns at once, and one more for everybody who asked meanwhile. */
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
    // What fails at once is not tried again before the next poll.
    if (hasFailed) return;
    if (gatherMs > 0 && underWay.size > 0) gathering ??= setTimeout(wake, gatherMs);
    else wake();
  }

  /** What is due before the next poll is claimed when it is due. */
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

  async function allEnded(): Promise<void> {
    await Promise.all([...underWay.values()].map(async ({ ended }) => await ended));
  }

  async function drain(): Promise<void> {
    for (;;) {
      wake();
      await turn;
      if (underWay.size === 0) return;
      await allEnded();
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
    begin,
    running: () => [...underWay.keys()],
    wake,
    drain,
    start() {
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
    abort(item, reason) {
      underWay.get(item)?.abort.abort(reason);
    },
    async close() {
      closed ??= closeAll();
      await closed;
    },
  };
}
