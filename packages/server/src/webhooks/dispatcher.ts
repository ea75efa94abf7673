import { engineOf } from '../platform/db/database.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { createWorkLoop, type WorkTimes } from '../platform/work/work-loop.ts';
import { type ClaimedDelivery, claimDue, type Places } from './claim-due.ts';
import { endAllLeases } from './deliveries.repo.ts';
import { type EndedTry, recordTries } from './record-tries.ts';
import { classifyTry, type Outcome, type RetryDecision } from './retry-policy.ts';
import type { SecretsService } from './secrets.service.ts';
import { sendTry } from './send-try.ts';

export interface DispatcherOptions extends Pick<WorkTimes, 'pollMs' | 'closeMs'> {
  readonly places?: Places;
  readonly timeoutMs?: number;
  readonly random?: () => number;
}

interface Parts extends ServiceParts {
  readonly outbound: Outbound;
  readonly secrets: Pick<SecretsService, 'keysOf'>;
  /** Called after every try that this server did not call off. */
  readonly onTried: (decision: RetryDecision) => void;
  readonly onError: (error: unknown) => void;
}

interface Try {
  readonly delivery: ClaimedDelivery;
  /** `undefined` if they cannot be read. */
  readonly keys: readonly Uint8Array[] | undefined;
}

const PLACES: Places = { inAll: 64, perHost: 16, perAccount: 32 };
const TIMEOUT_MS = 10_000;
/** For the work before and after a try. */
const LEASE_MARGIN_MS = 20_000;
/** How long an ended try waits for others, which are stored in the same transaction. */
const GATHER_MS = 4;

/** Sends deliveries. A lease covers one try, so it is not renewed. */
export function createDispatcher(parts: Parts, options: DispatcherOptions = {}) {
  const { db, clock, outbound, secrets, onTried, onError } = parts;
  const { places = PLACES, timeoutMs = TIMEOUT_MS, pollMs = 1000, closeMs = 5000 } = options;
  const { random = Math.random } = options;
  const search = { pausedUntil: 0 };
  let ended: EndedTry[] = [];

  const writeDown = async (): Promise<void> => {
    const writing = ended;
    ended = [];
    try {
      await recordTries(db, writing, clock());
    } catch (error) {
      // After its lease has run out, a delivery is tried again anyway.
      ended = [...writing.filter(({ delivery }) => delivery.leaseUntil > clock()), ...ended];
      throw error;
    }
  };

  const send = async ({ delivery, keys }: Try, at: number, signal: AbortSignal): Promise<Outcome> => {
    if (!keys) return { kind: 'failed', error: 'The message could not be signed.' };
    try {
      return await sendTry(outbound, delivery, { keys, at, timeoutMs, signal });
    } catch (error) {
      onError(error);
      return { kind: 'failed', error: 'The request could not be made.' };
    }
  };

  const loop = createWorkLoop<Try>(
    {
      clock,
      onError,
      flush: writeDown,
      async claim(begin) {
        const busy = loop
          .running()
          .map(({ delivery }) => ({ host: delivery.host, userId: delivery.user_id }));
        if (busy.length >= places.inAll) return;
        const leaseMs = timeoutMs + LEASE_MARGIN_MS;
        const claimed = await claimDue(db, { clock, leaseMs, places, busy, search });
        if (claimed.length === 0) return;
        const keys = await secrets.keysOf([...new Set(claimed.map((delivery) => delivery.user_id))]);
        for (const delivery of claimed) begin({ delivery, keys: keys.get(delivery.user_id) });
      },
      async run(each, signal) {
        const { delivery } = each;
        const at = clock();
        // After this process was suspended, another server may be about to send it.
        if (at + timeoutMs > delivery.leaseUntil) return;
        const started = performance.now();
        const outcome = await send(each, at, signal);
        const ms = Math.round(performance.now() - started);
        const decision = classifyTry(outcome, {
          failures: delivery.failures,
          now: clock(),
          random: random(),
        });
        ended.push({ delivery, at, ms, outcome, decision });
        if (outcome.kind !== 'called_off') onTried(decision);
      },
    },
    { pollMs, closeMs, gatherMs: GATHER_MS },
  );

  return {
    ...loop,
    async start(): Promise<void> {
      if (engineOf(db) === 'sqlite') await endAllLeases(db, clock());
      loop.start();
    },
  };
}
