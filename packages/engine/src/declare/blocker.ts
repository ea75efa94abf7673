import type { Blocker } from './outputs.ts';

const BLOCKERS = new WeakSet<object>();

/** A value that stops what depends on it, and shows the message to the submitter. Without a message it stops silently. */
export function block(message?: string): Blocker {
  const blocker: Blocker = { blocker: true, message };
  BLOCKERS.add(blocker);
  return blocker;
}

export function isBlocker(value: unknown): value is Blocker {
  return typeof value === 'object' && value !== null && BLOCKERS.has(value);
}
