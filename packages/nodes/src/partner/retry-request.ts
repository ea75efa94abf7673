import { NodeError } from '@atelier/engine';
import { refusal } from './refusal.ts';
import { type Answer, type Ask, type Service, Unanswered } from './service.ts';

export type Deadline = ReturnType<typeof startDeadline>;

/** The time limit of a task. */
export function startDeadline(totalMs: number) {
  const startedMs = performance.now();
  const passedMs = (): number => performance.now() - startedMs;
  return { totalMs, passedMs, leftMs: () => totalMs - passedMs() };
}

interface RetryOptions {
  readonly deadline: Deadline;
  /** The write may be repeated. */
  readonly isIdempotent?: boolean;
  /** Called before each wait because the account has too many tasks under way. */
  readonly onCrowded?: (ms: number) => void;
}

const FIRST_WAIT_MS = 500;
const MAX_RETRY_MS = 10_000;
/** The server may be unreachable for this long, for example during a restart. */
const MAX_OUTAGE_MS = 60_000;

/** Temporary failures. A read may be repeated after any of them. */
const RETRIABLE_READS = new Set([408, 425, 500, 502, 503, 504]);
/** From a gateway without an answer, or a server that has not started. */
const RETRIABLE_WRITES = new Set([502, 503, 504]);

/**
 * Sends a request until it succeeds, and returns the body of the answer. A write whose answer was lost is repeated only with
 * an idempotency key, so that nothing is bought twice. A refusal throws the server's sentence.
 */
export async function requestWithRetry(
  service: Service,
  request: Ask,
  { deadline, isIdempotent = false, onCrowded }: RetryOptions,
): Promise<unknown> {
  const isRepeatable = isIdempotent || request.method === 'GET' || request.idempotencyKey !== undefined;
  let wait = FIRST_WAIT_MS;
  let outageMs = 0;
  for (;;) {
    const answer = await answerOf(service, request);
    if (!(answer instanceof Unanswered) && answer.status >= 200 && answer.status < 300) return answer.body;
    const isCrowded = !(answer instanceof Unanswered) && answer.status === 429;
    const failure = answer instanceof Unanswered ? unreachable(answer) : refusal(service, answer);
    if (!isCrowded && !(isRepeatable && isTemporary(request, answer))) throw failure;
    const waitMs = Math.max(wait, requestedWait(answer));
    if (!isCrowded) outageMs += waitMs;
    if (outageMs > MAX_OUTAGE_MS || waitMs > deadline.leftMs()) throw failure;
    if (isCrowded) onCrowded?.(waitMs);
    await service.pause(waitMs);
    wait = Math.min(wait * 2, MAX_RETRY_MS);
  }
}

async function answerOf(service: Service, request: Ask): Promise<Answer | Unanswered> {
  try {
    return await service.ask(request);
  } catch (error) {
    if (error instanceof Unanswered) return error;
    throw error;
  }
}

function isTemporary({ method }: Ask, answer: Answer | Unanswered): boolean {
  if (answer instanceof Unanswered) return true;
  if (method === 'GET') return RETRIABLE_READS.has(answer.status);
  // 409 with Retry-After: the first request is still being processed.
  if (answer.status === 409) return answer.retryAfterMs !== undefined;
  return RETRIABLE_WRITES.has(answer.status);
}

function requestedWait(answer: Answer | Unanswered): number {
  return answer instanceof Unanswered ? 0 : (answer.retryAfterMs ?? 0);
}

export function unreachable({ message }: Unanswered): NodeError {
  return new NodeError('ConnectionError', `The server cannot be reached: ${message}.`);
}
