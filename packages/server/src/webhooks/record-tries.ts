import { type Db, withTransaction } from '../platform/db/database.ts';
import type { ClaimedDelivery } from './claim-due.ts';
import * as repo from './deliveries.repo.ts';
import { endpointOf, forgetFailures, noteFailure } from './endpoints.repo.ts';
import type { Outcome, RetryDecision } from './retry-policy.ts';

export interface EndedTry {
  readonly delivery: ClaimedDelivery;
  readonly at: number;
  readonly ms: number;
  readonly outcome: Outcome;
  readonly decision: RetryDecision;
}

/** Never holds the receiver's answer: the owner of the endpoint must not read other servers through it. */
interface LoggedTry {
  readonly at: number;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
}

const MAX_KEPT = 50;
const DAY_MS = 24 * 3_600_000;
const PATIENCE_MS = 5 * DAY_MS;
/** Longer than any wait between two tries. Failures further apart are not a series. */
const SERIES_GAP_MS = 1.5 * DAY_MS;

/** Stores the outcomes of tries in one transaction. A delivery whose lease was lost is left as it is. */
export async function recordTries(db: Db, ended: readonly EndedTry[], now: number): Promise<void> {
  if (ended.length === 0) return;
  await withTransaction(db, async (tx) => {
    // Endpoints are locked first and in one order everywhere, so that no two servers deadlock.
    const paused = await noteEndpoints(tx, ended, now);
    const over = await endTries(tx, ended, now);
    if (over.length > 0) await repo.bringForward(tx, over, now);
    if (paused.length > 0) await repo.pauseDeliveries(tx, paused, null);
  });
}

/** Returns the subjects whose next delivery may be sent. */
async function endTries(tx: Db, ended: readonly EndedTry[], now: number): Promise<string[]> {
  const over: repo.DeliveryRow[] = [];
  const delivered = ended.filter(({ decision }) => decision.status === 'delivered');
  if (delivered.length > 0) {
    const held = delivered.map((each) => ({ ...heldOf(each), tries: logOf(each) }));
    const arrived = new Set(await repo.endDelivered(tx, held, now));
    over.push(...delivered.flatMap(({ delivery }) => (arrived.has(delivery.seq) ? [delivery] : [])));
  }
  for (const each of ended) {
    const { delivery, decision } = each;
    if (decision.status === 'delivered') continue;
    const isPending = decision.status === 'pending';
    const wasHeld = await repo.endFailedTry(tx, heldOf(each), {
      status: decision.status,
      failures: delivery.failures + (isPending && !decision.counts ? 0 : 1),
      due_at: isPending ? decision.dueAt : now,
      tries: logOf(each),
    });
    if (wasHeld && !isPending) over.push(delivery);
  }
  return [...new Set(over.filter((delivery) => delivery.in_order === 1).map(({ subject }) => subject))];
}

function heldOf({ delivery: { seq, lease } }: EndedTry) {
  return { seq, lease };
}

async function noteEndpoints(tx: Db, ended: readonly EndedTry[], now: number): Promise<string[]> {
  const counted = ended.filter(({ outcome }) => outcome.kind !== 'called_off');
  const byEndpoint = Map.groupBy(counted, ({ delivery }) => delivery.endpoint_id);
  const answering: string[] = [];
  const paused: string[] = [];
  for (const [id, tries] of [...byEndpoint].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const last = tries.at(-1);
    if (!last || tries.some(({ decision }) => decision.status === 'delivered')) {
      answering.push(id);
      continue;
    }
    const { user_id, url } = last.delivery;
    const endpoint = endpointOf(user_id, new URL(url));
    const failure = { id, user_id, url: endpoint.url, last_error: toSentence(last.outcome) };
    const patience = { now, pauseBefore: now - PATIENCE_MS, seriesSince: now - SERIES_GAP_MS };
    if (await noteFailure(tx, failure, patience)) paused.push(id);
  }
  if (answering.length > 0) await forgetFailures(tx, answering);
  return paused;
}

function logOf({ delivery, at, ms, outcome }: EndedTry): string {
  const tries: LoggedTry[] = [];
  if (delivery.hadLostTry) {
    tries.push({ at, error: 'The server died during the try before this one.', ms: 0 });
  }
  const error = reasonOf(outcome);
  tries.push({
    at,
    ...(outcome.kind === 'answered' && { status: outcome.status }),
    ...(error !== undefined && { error }),
    ms,
  });
  return JSON.stringify([...readTries(delivery.tries), ...tries].slice(-MAX_KEPT));
}

function reasonOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'called_off') return 'The server stopped during this try.';
  if (outcome.kind === 'failed') return outcome.error;
  if (outcome.status >= 300 && outcome.status < 400) return 'Redirects are not followed.';
  return outcome.status === 410 ? 'The receiver is gone for good.' : undefined;
}

function toSentence(outcome: Outcome): string {
  const reason = reasonOf(outcome);
  if (outcome.kind !== 'answered') return reason ?? '';
  return `The receiver answered ${outcome.status}.${reason === undefined ? '' : ` ${reason}`}`;
}

/** Only `recordTries` writes that column. */
export function readTries(text: string): LoggedTry[] {
  return JSON.parse(text) as LoggedTry[];
}
