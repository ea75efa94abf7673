interface Moment {
  readonly now: number;
  /** The longest wait to accept. */
  readonly maxMs: number;
}

/** `Retry-After` has seconds or an HTTP date; anything else is ignored. A time in the past is 0. */
export function readRetryAfter(header: string | undefined, { now, maxMs }: Moment): number | undefined {
  const text = header?.trim() ?? '';
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), maxMs) : undefined;
}

function httpDate(text: string): number {
  // Date.parse also accepts texts that are no dates, such as "5.5".
  return /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
