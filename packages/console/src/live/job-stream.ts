import { AtelierError, type JobsEvent } from '@atelier/sdk';

import { atelier } from '../atelier.ts';
import { queryClient } from '../query-client.ts';
import { connection } from './connection.ts';
import { addEvent, clearJobs } from './live-jobs.ts';
import { refreshQueries } from './refresh-queries.ts';
import { setStreamOpen } from './stream-state.ts';

/** A hidden window closes its stream, because browsers allow only six connections per server. */
const HIDDEN_MS = 60_000;
const RETRY_MS = 30_000;
/** A running node sends these many times a second; they do not change any list. */
const IS_PROGRESS = new Set(['progress', 'progress_state', 'preview', 'picture', 'notification']);

let wasLost = false;

function handle(event: JobsEvent): void {
  if (event.type === 'disconnected') {
    wasLost = true;
    setStreamOpen(false);
    connection.recordError(event.error);
  } else if (event.type === 'connected') {
    connection.markOnline();
    clearJobs();
    setStreamOpen(true);
    // Events during a disconnect are lost, so everything on the page is refetched.
    if (wasLost) void queryClient.invalidateQueries();
    else refreshQueries();
    wasLost = false;
  } else if (event.type === 'status') refreshQueries();
  else {
    addEvent(event);
    if (!IS_PROGRESS.has(event.type)) refreshQueries(event.jobId, event.type === 'ended');
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of atelier.jobs.watchAll({ signal, previews: true })) handle(event);
  } catch (error) {
    setStreamOpen(false);
    if (signal.aborted) return;
    wasLost = true;
    if (error instanceof AtelierError && error.status === 401) queryClient.setQueryData(['me'], null);
    else setTimeout(() => void (signal.aborted || follow(signal)), RETRY_MS);
  }
}

/** Follows all jobs while the window is visible. Returns a function that stops it. */
export function startJobStream(): () => void {
  let abort: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    abort?.abort();
    abort = undefined;
  };
  const adapt = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(stop, HIDDEN_MS);
    else if (!abort) {
      abort = new AbortController();
      void follow(abort.signal);
    }
  };
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    clearTimeout(timer);
    stop();
  };
}
