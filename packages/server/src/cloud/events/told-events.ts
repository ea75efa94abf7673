import { isEndMarker } from './messages.ts';
import type { UserEvent } from './user-event.ts';

const MAX_JOBS = 10_000;
const ENDS = new Set(['execution_success', 'execution_interrupted', 'execution_error']);

/**
 * Which kept events of jobs were told on this server. A server that takes an attempt over tells all of them again, under the same ids, and
 * each server leaves out what its watchers have.
 */
export function createToldEvents() {
  const last = new Map<string, { readonly attempt: number; readonly number: number }>();

  return {
    /** Records that the event is sent; false when it was sent before. */
    note(event: UserEvent): boolean {
      if (event.kind !== 'message' || event.jobId === undefined) return true;
      if (isEndMarker(event)) last.delete(event.jobId);
      // An end is told once, and by a server that may not know what was told before it.
      if (event.id === undefined || ENDS.has(event.type)) return true;
      const [attempt = 0, number = 0] = event.id.split('-').map(Number);
      const before = last.get(event.jobId);
      const isNew =
        !before || attempt > before.attempt || (attempt === before.attempt && number > before.number);
      if (isNew && (before || last.size < MAX_JOBS)) last.set(event.jobId, { attempt, number });
      return isNew;
    },
    forgetAll: () => last.clear(),
  };
}
