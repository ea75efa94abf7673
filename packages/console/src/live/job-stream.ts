import { AtelierError, type JobsEvent } from '@atelier/sdk';

import { atelier } from '../atelier.ts';
import { queryClient } from '../query-client.ts';
import { connection } from './connection.ts';
import { forgetJobs, noteEvent } from './live-jobs.ts';
import { readAgain } from './read-again.ts';
import { setStreamOpen } from './stream-state.ts';

/** A window that is not looked at gives its connection back: browsers have six for a server. */
const HIDDEN_MS = 60_000;
const RETRY_MS = 30_000;
/** A node that works tells this many times a second; lists do not change with it. */
const IS_PROGRESS = new Set(['progress', 'progress_state', 'preview', 'picture', 'notification']);

let wasLost = false;

function handle(event: JobsEvent): void {
  if (event.type === 'disconnected') {
    wasLost = true;
    setStreamOpen(false);
    connection.note(event.error);
  } else if (event.type === 'connected') {
    connection.found();
    forgetJobs();
    setStreamOpen(true);
    // What happened meanwhile was not told. After a break nothing on the page may be old.
    if (wasLost) void queryClient.invalidateQueries();
    else readAgain();
    wasLost = false;
  } else if (event.type === 'status') readAgain();
  else {
    noteEvent(event);
    if (!IS_PROGRESS.has(event.type)) readAgain(event.jobId, event.type === 'ended');
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

/** Follows all jobs while the window is looked at. Gives what ends it. */
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
