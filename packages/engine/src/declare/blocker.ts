import type { Blocker } from './outputs.ts';

const BLOCKERS = new WeakSet<object>();

/** A value that stops what depends on it; with a message the submitter is told, without one nothing is said. */
export function block(message?: string): Blocker {
  const blocker: Blocker = { blocker: true, message };
  BLOCKERS.add(blocker);
  return blocker;
}

export function isBlocker(value: unknown): value is Blocker {
  return typeof value === 'object' && value !== null && BLOCKERS.has(value);
}
