const FIRST_LOOK_MS = 2000;
const MAX_POLL_MS = 30_000;
const FIRST_TROUBLE_MS = 1000;
const MAX_RETRY_MS = 60_000;
const MAX_RETRY_AFTER_MS = 10 * 60_000;

interface Options {
  readonly wished: number | undefined;
  readonly random: number;
}

/** Until a vendor is asked again how a task stands: half as long again each time. */
export function nextLookMs({ looks, wished, random }: Options & { readonly looks: number }): number {
  const first = wished ?? FIRST_LOOK_MS;
  return jittered(Math.min(first * 1.5 ** Math.min(looks, 20), Math.max(MAX_POLL_MS, first)), random);
}

/** Until a step is tried again that met with trouble: twice as long each time, and never before the vendor's wish. */
export function troubleMs({ troubles, wished, random }: Options & { readonly troubles: number }): number {
  const own = jittered(Math.min(FIRST_TROUBLE_MS * 2 ** Math.min(troubles, 20), MAX_RETRY_MS), random);
  return Math.max(own, Math.min(wished ?? 0, MAX_RETRY_AFTER_MS));
}

/** A tenth more or less, so that tasks that began together do not stay together. */
function jittered(ms: number, random: number): number {
  return Math.round(ms * (0.9 + 0.2 * random));
}
