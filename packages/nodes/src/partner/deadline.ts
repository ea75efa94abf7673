/** When something has taken too long. */
export interface Deadline {
  readonly totalMs: number;
  leftMs(): number;
  /** Since it began to run. */
  passedMs(): number;
}

export function startDeadline(totalMs: number): Deadline {
  const startedMs = performance.now();
  const passedMs = (): number => performance.now() - startedMs;
  return { totalMs, passedMs, leftMs: () => totalMs - passedMs() };
}
