const FIRST_POLL_MS = 2000;
const MAX_POLL_MS = 30_000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
const MAX_RETRY_AFTER_MS = 10 * 60_000;

interface Options {
  readonly wished: number | undefined;
  readonly random: number;
}

/** The delay before the next check of a task, which grows by half each time. */
export function pollDelayMs({ polls, wished, random }: Options & { readonly polls: number }): number {
  const first = wished ?? FIRST_POLL_MS;
  return jittered(Math.min(first * 1.5 ** Math.min(polls, 20), Math.max(MAX_POLL_MS, first)), random);
}

/** The delay before a retry, which doubles each time and is at least what the vendor asks for. */
export function retryDelayMs({ failures, wished, random }: Options & { readonly failures: number }): number {
  const own = jittered(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_MS), random);
  return Math.max(own, Math.min(wished ?? 0, MAX_RETRY_AFTER_MS));
}

/** By a tenth, so that tasks that began together drift apart. */
function jittered(ms: number, random: number): number {
  return Math.round(ms * (0.9 + 0.2 * random));
}
