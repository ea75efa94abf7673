import { isEnding, isEndMarker } from './messages.ts';
import type { UserEvent } from './user-event.ts';

const MAX_JOBS = 10_000;

/** Drops kept events that this server has already sent: a server that takes over an attempt sends all of them again with the same ids. */
export function createEventDeduplicator() {
  const last = new Map<string, { readonly attempt: number; readonly number: number }>();

  return {
    /** Records that the event is sent; false when it already was. */
    note(event: UserEvent): boolean {
      if (event.kind !== 'message' || event.jobId === undefined) return true;
      if (isEndMarker(event)) last.delete(event.jobId);
      // An end is sent once, by a server that may not know what was already sent.
      if (event.id === undefined || isEnding(event.type)) return true;
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
