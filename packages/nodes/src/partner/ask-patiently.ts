import { NodeError } from '@atelier/engine';
import type { Deadline } from './deadline.ts';
import { refusal } from './refusal.ts';
import { type Answer, type Ask, type Service, Unanswered } from './service.ts';

export interface Patience {
  readonly deadline: Deadline;
  /** A write that may be done twice. */
  readonly isHarmless?: boolean;
  /** Told before each wait for room: the server has too much of this account's to do. */
  readonly onCrowded?: (ms: number) => void;
}

const FIRST_WAIT_MS = 500;
const MAX_RETRY_MS = 10_000;
/** So long may it be out of reach, as while it starts anew. */
const TROUBLE_MS = 60_000;

/** Statuses that may pass. What reads may come again after any of them. */
const PASSING_FOR_READS = new Set([408, 425, 500, 502, 503, 504]);
/** Of a gateway that has no answer, or of a server that has not begun. */
const PASSING_FOR_WRITES = new Set([502, 503, 504]);

/**
 * Asks until there is an answer that counts, and gives its body. A write whose answer was lost is sent again only when
 * it has an idempotency key, and then as it was: it buys nothing twice. A refusal is a failure with the server's words.
 */
export async function askPatiently(
  service: Service,
  request: Ask,
  { deadline, isHarmless = false, onCrowded }: Patience,
): Promise<unknown> {
  const isRepeatable = isHarmless || request.method === 'GET' || request.idempotencyKey !== undefined;
  let wait = FIRST_WAIT_MS;
  let troubleMs = 0;
  for (;;) {
    const answer = await answerOf(service, request);
    if (!(answer instanceof Unanswered) && answer.status >= 200 && answer.status < 300) return answer.body;
    const isCrowded = !(answer instanceof Unanswered) && answer.status === 429;
    const failure = answer instanceof Unanswered ? unreachable(answer) : refusal(service, answer);
    if (!isCrowded && !(isRepeatable && mayPass(request, answer))) throw failure;
    const waitMs = Math.max(wait, askedWait(answer));
    if (!isCrowded) troubleMs += waitMs;
    if (troubleMs > TROUBLE_MS || waitMs > deadline.leftMs()) throw failure;
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

function mayPass({ method }: Ask, answer: Answer | Unanswered): boolean {
  if (answer instanceof Unanswered) return true;
  if (method === 'GET') return PASSING_FOR_READS.has(answer.status);
  // 409: the same request is still being taken in; who says when to come again has not refused it.
  if (answer.status === 409) return answer.retryAfterMs !== undefined;
  return PASSING_FOR_WRITES.has(answer.status);
}

function askedWait(answer: Answer | Unanswered): number {
  return answer instanceof Unanswered ? 0 : (answer.retryAfterMs ?? 0);
}

export function unreachable({ message }: Unanswered): NodeError {
  return new NodeError('ConnectionError', `The server cannot be reached: ${message}.`);
}
