import type { JobProgress } from '@atelier/sdk';
import { useEffect, useSyncExternalStore } from 'react';

import { atelier } from '../atelier.ts';
import { queryClient } from '../query-client.ts';

export interface LiveJob {
  readonly progress: JobProgress | undefined;
  /** The newest picture of work under way, as an address for `<img>`. */
  readonly preview: string | undefined;
}

interface Followed {
  state: LiveJob;
  watchers: number;
  readonly listeners: Set<() => void>;
  readonly abort: AbortController;
}

const NOTHING: LiveJob = { progress: undefined, preview: undefined };
const followed = new Map<string, Followed>();

function change(job: Followed, next: Partial<LiveJob>): void {
  job.state = { ...job.state, ...next };
  for (const listener of job.listeners) listener();
}

function follow(id: string): Followed {
  const known = followed.get(id);
  if (known) return known;
  const job: Followed = { state: NOTHING, watchers: 0, listeners: new Set(), abort: new AbortController() };
  followed.set(id, job);
  void run(id, job);
  return job;
}

async function run(id: string, job: Followed): Promise<void> {
  try {
    await atelier.jobs.attach(id).result({
      signal: job.abort.signal,
      previews: true,
      onProgress: (progress) => change(job, { progress }),
      onEvent: (event) => {
        if (event.type !== 'preview') return;
        const before = job.state.preview;
        change(job, { preview: URL.createObjectURL(new Blob([event.bytes])) });
        if (before !== undefined) URL.revokeObjectURL(before);
      },
    });
  } catch {
    // The job's page and the lists tell how it ended, and a lost server is told above them.
  }
  if (job.abort.signal.aborted) return;
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['jobs', 'job', 'assets', 'me'].includes(String(queryKey[0])),
  });
}

/** Follows a job while somebody looks at it: how far it is, and its newest preview. */
export function useJobProgress(id: string | undefined): LiveJob {
  useEffect(() => {
    if (id === undefined) return undefined;
    const job = follow(id);
    job.watchers += 1;
    return () => {
      job.watchers -= 1;
      if (job.watchers > 0) return;
      job.abort.abort();
      followed.delete(id);
      if (job.state.preview !== undefined) URL.revokeObjectURL(job.state.preview);
    };
  }, [id]);
  return useSyncExternalStore(
    (listener) => {
      if (id === undefined) return () => {};
      const { listeners } = follow(id);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (id === undefined ? NOTHING : (followed.get(id)?.state ?? NOTHING)),
  );
}
