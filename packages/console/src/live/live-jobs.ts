import { createProgressTracker, type JobsEvent } from '@atelier/sdk';
import { useSyncExternalStore } from 'react';

import { createExternalValue } from './external-value.ts';

/** The live state of a job, from its events so far. */
interface LiveState {
  readonly tracker: ReturnType<typeof createProgressTracker>;
  /** The latest preview, as an address for `<img>`. */
  readonly preview: string | undefined;
}

/** Limits updates, because events arrive faster than anyone can see. */
const SHOW_MS = 100;
/** How long the last preview stays, so that the result can take its place. */
const KEEP_MS = 20_000;
/** How long the tray shows a job after its end. */
const ENDED_MS = 8000;

const states = new Map<string, LiveState>();
const listeners = new Set<() => void>();
const trackers = new Map<string, LiveState['tracker']>();
/** Jobs with pending updates, and the latest picture of each if it has a new one. */
const waiting = new Map<string, Uint8Array<ArrayBuffer> | undefined>();

/** Ids of recently ended jobs, the newest first. */
export const recentlyEnded = createExternalValue<readonly string[]>([]);

function trackerOf(id: string): LiveState['tracker'] {
  const tracker = trackers.get(id) ?? createProgressTracker();
  trackers.set(id, tracker);
  return tracker;
}

function show(): void {
  for (const [id, picture] of waiting) {
    const before = states.get(id)?.preview;
    const preview = picture ? URL.createObjectURL(new Blob([picture])) : before;
    states.set(id, { tracker: trackerOf(id), preview });
    if (before !== undefined && before !== preview) URL.revokeObjectURL(before);
  }
  waiting.clear();
  for (const listener of listeners) listener();
}

/** Applies an event to the live state of its job. */
export function addEvent(event: Extract<JobsEvent, { readonly jobId: string }>): void {
  const { jobId } = event;
  if (event.type === 'ended') {
    recentlyEnded.set([jobId, ...recentlyEnded.get()]);
    setTimeout(() => recentlyEnded.set(recentlyEnded.get().filter((id) => id !== jobId)), ENDED_MS);
    setTimeout(() => remove(jobId), KEEP_MS);
    return;
  }
  // The stream of all jobs has no attempt numbers: a new attempt begins with its start event.
  const isNews = event.type === 'preview' || trackerOf(jobId).after({ ...event, attempt: 1 });
  if (!isNews) return;
  if (waiting.size === 0) setTimeout(show, SHOW_MS);
  waiting.set(jobId, event.type === 'preview' ? event.bytes : waiting.get(jobId));
}

function remove(id: string): void {
  const preview = states.get(id)?.preview;
  if (preview !== undefined) URL.revokeObjectURL(preview);
  trackers.delete(id);
  waiting.delete(id);
  if (states.delete(id)) for (const listener of listeners) listener();
}

/** Called after a reconnect: missed ends are not replayed, and running jobs send their state again. */
export function clearJobs(): void {
  for (const id of trackers.keys()) remove(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useJobEvents(id: string | undefined): LiveState | undefined {
  return useSyncExternalStore(subscribe, () => (id === undefined ? undefined : states.get(id)));
}
