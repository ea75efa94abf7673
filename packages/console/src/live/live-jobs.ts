import { createProgressTracker, type JobsEvent } from '@atelier/sdk';
import { useSyncExternalStore } from 'react';

import { createExternalValue } from './external-value.ts';

/** What the events of a job have told so far. */
interface Told {
  readonly tracker: ReturnType<typeof createProgressTracker>;
  /** The newest picture of work under way, as an address for `<img>`. */
  readonly preview: string | undefined;
}

/** Events come faster than anybody can see. */
const SHOW_MS = 100;
/** How long the last preview stays, so that the result can take its place. */
const KEEP_MS = 20_000;
/** How long the tray shows a job that is over. */
const ENDED_MS = 8000;

const shown = new Map<string, Told>();
const listeners = new Set<() => void>();
const trackers = new Map<string, Told['tracker']>();
/** Jobs with something to show, and the newest picture of each if it has a new one. */
const waiting = new Map<string, Uint8Array<ArrayBuffer> | undefined>();

/** Ids of jobs that have just ended, the newest first. */
export const recentlyEnded = createExternalValue<readonly string[]>([]);

function trackerOf(id: string): Told['tracker'] {
  const tracker = trackers.get(id) ?? createProgressTracker();
  trackers.set(id, tracker);
  return tracker;
}

function show(): void {
  for (const [id, picture] of waiting) {
    const before = shown.get(id)?.preview;
    const preview = picture ? URL.createObjectURL(new Blob([picture])) : before;
    shown.set(id, { tracker: trackerOf(id), preview });
    if (before !== undefined && before !== preview) URL.revokeObjectURL(before);
  }
  waiting.clear();
  for (const listener of listeners) listener();
}

/** Adds an event of a job to what is known of it. */
export function noteEvent(event: Extract<JobsEvent, { readonly jobId: string }>): void {
  const { jobId } = event;
  if (event.type === 'ended') {
    recentlyEnded.set([jobId, ...recentlyEnded.get()]);
    setTimeout(() => recentlyEnded.set(recentlyEnded.get().filter((id) => id !== jobId)), ENDED_MS);
    setTimeout(() => forget(jobId), KEEP_MS);
    return;
  }
  // The stream of all jobs does not count attempts: a new one begins with its start.
  const isNews = event.type === 'preview' || trackerOf(jobId).after({ ...event, attempt: 1 });
  if (!isNews) return;
  if (waiting.size === 0) setTimeout(show, SHOW_MS);
  waiting.set(jobId, event.type === 'preview' ? event.bytes : waiting.get(jobId));
}

function forget(id: string): void {
  const preview = shown.get(id)?.preview;
  if (preview !== undefined) URL.revokeObjectURL(preview);
  trackers.delete(id);
  waiting.delete(id);
  if (shown.delete(id)) for (const listener of listeners) listener();
}

/** After a break: what has ended meanwhile is not told, and what runs tells where it is. */
export function forgetJobs(): void {
  for (const id of trackers.keys()) forget(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTold(id: string | undefined): Told | undefined {
  return useSyncExternalStore(subscribe, () => (id === undefined ? undefined : shown.get(id)));
}
