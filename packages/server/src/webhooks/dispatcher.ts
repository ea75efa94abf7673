import { setTimeout as wait } from 'node:timers/promises';

import type { Clock } from '../platform/clock.ts';
import { type Db, engineOf } from '../platform/db/database.ts';
import { everyNowAndThen } from '../platform/every-now-and-then.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import { createTurns } from '../platform/take-turns.ts';
import { type Busy, type ClaimedDelivery, claimDue, type Places } from './claim-due.ts';
import { endAllLeases } from './deliveries.repo.ts';
import { judgeTry, type Outcome, type Verdict } from './judge-try.ts';
import { type EndedTry, recordTries } from './record-tries.ts';
import type { SecretsService } from './secrets.service.ts';
import { sendTry } from './send-try.ts';

export interface DispatcherOptions {
  readonly places?: Places;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** How long `close` waits for tries under way before it calls them off. */
  readonly closeMs?: number;
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly secrets: Pick<SecretsService, 'keysOf'>;
  /** After every try but those that this server called off. */
  readonly onTried: (verdict: Verdict) => void;
  readonly onError: (error: unknown) => void;
}

export interface Dispatcher {
  /** Begins to look for due deliveries now and then. */
  start(): Promise<void>;
  /** Looks now. Called after the commit that wrote a delivery. */
  wake(): void;
  /** Sends what is due and what becomes due meanwhile, and ends when nothing is. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

type Keys = readonly Uint8Array[] | undefined;

const PLACES: Places = { inAll: 64, perHost: 16, perAccount: 32 };
const TIMEOUT_MS = 10_000;
/** Beyond the time of a try, for what comes before and after it. */
const LEASE_MARGIN_MS = 20_000;
/** Ends are written down together: so long the first waits for others. */
const GATHER_MS = 4;

/** Sends deliveries. One turn at a time writes down what has ended, then claims what there are places for. */
export function createDispatcher(parts: Parts, options: DispatcherOptions = {}): Dispatcher {
  const { db, clock, outbound, secrets, onTried, onError } = parts;
  const { places = PLACES, timeoutMs = TIMEOUT_MS, pollMs = 1000, closeMs = 5000 } = options;
  const { random = Math.random } = options;
  const underWay = new Map<ClaimedDelivery, Busy & { readonly ended: Promise<void> }>();
  const calledOff = new AbortController();
  const search = { pausedUntil: 0 };
  let ended: EndedTry[] = [];
  let isClosing = false;
  let gathering: NodeJS.Timeout | undefined;
  let stopPolling = async (): Promise<void> => {};

  const writeDown = async (): Promise<void> => {
    const writing = ended;
    ended = [];
    try {
      await recordTries(db, writing, clock());
    } catch (error) {
      // Once the lease has run out it is tried again anyway.
      ended = [...writing.filter(({ delivery }) => delivery.leaseUntil > clock()), ...ended];
      throw error;
    }
  };

  const attempt = async (delivery: ClaimedDelivery, keys: Keys, at: number): Promise<Outcome> => {
    if (!keys) return { kind: 'failed', error: 'The message could not be signed.' };
    try {
      return await sendTry(outbound, delivery, { keys, at, timeoutMs, signal: calledOff.signal });
    } catch (error) {
      onError(error);
      return { kind: 'failed', error: 'The request could not be made.' };
    }
  };

  const send = async (delivery: ClaimedDelivery, keys: Keys): Promise<void> => {
    const at = clock();
    // After a long standstill of this process another server may be about to send it.
    if (at + timeoutMs > delivery.leaseUntil) return;
    const started = performance.now();
    const outcome = await attempt(delivery, keys, at);
    const ms = Math.round(performance.now() - started);
    const verdict = judgeTry(outcome, { failures: delivery.failures, now: clock(), random: random() });
    ended.push({ delivery, at, ms, outcome, verdict });
    if (outcome.kind !== 'called_off') onTried(verdict);
  };

  const begin = (delivery: ClaimedDelivery, keys: Keys): void => {
    const done = send(delivery, keys).finally(() => {
      underWay.delete(delivery);
      if (underWay.size === 0) wake();
      else gathering ??= setTimeout(wake, GATHER_MS);
    });
    underWay.set(delivery, { host: delivery.host, userId: delivery.user_id, ended: done });
  };

  const fill = async (): Promise<void> => {
    if (isClosing || underWay.size >= places.inAll) return;
    const leaseMs = timeoutMs + LEASE_MARGIN_MS;
    const claimed = await claimDue(db, { clock, leaseMs, places, busy: underWay.values(), search });
    if (claimed.length === 0) return;
    const keys = await secrets.keysOf([...new Set(claimed.map((delivery) => delivery.user_id))]);
    for (const delivery of claimed) begin(delivery, keys.get(delivery.user_id));
  };

  const turns = createTurns(async () => {
    await writeDown();
    await fill();
  }, onError);

  const wake = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    turns.want();
  };

  const drain = async (): Promise<void> => {
    for (;;) {
      wake();
      await turns.settled();
      if (underWay.size === 0) return;
      await Promise.all([...underWay.values()].map(async (each) => await each.ended));
    }
  };

  return {
    async start() {
      if (engineOf(db) === 'sqlite') await endAllLeases(db, clock());
      stopPolling = everyNowAndThen(
        pollMs,
        async () => {
          wake();
          await turns.settled();
        },
        onError,
      );
      wake();
    },
    wake,
    drain,
    async close() {
      isClosing = true;
      await stopPolling();
      const inTime = new AbortController();
      const patience = wait(closeMs, undefined, { signal: inTime.signal }).then(
        () => calledOff.abort(),
        () => {},
      );
      await drain();
      inTime.abort();
      await patience;
    },
  };
}
