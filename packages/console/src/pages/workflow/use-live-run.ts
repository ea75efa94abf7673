import { useEffect, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { queryClient } from '../../query-client.ts';
import { endedRun, type LiveRun, NOT_STARTED, runAfter } from './live-run.ts';

/** Limits updates, because events arrive faster than anyone can see. */
const SHOW_MS = 80;

/** Follows a job node by node while it is shown. */
export function useLiveRun(jobId: string | undefined): LiveRun {
  const [shown, setShown] = useState<{ readonly id: string; readonly run: LiveRun }>();
  useEffect(() => {
    if (jobId === undefined) return undefined;
    const abort = new AbortController();
    let run = NOT_STARTED;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      setShown({ id: jobId, run });
    };
    const note = (next: LiveRun) => {
      if (next === run) return;
      run = next;
      timer ??= setTimeout(show, SHOW_MS);
    };
    const follow = async () => {
      for await (const event of atelier.jobs.watch(jobId, { previews: true, signal: abort.signal })) {
        if (event.type === 'preview') {
          const before = run.preview?.url;
          const url = URL.createObjectURL(new Blob([event.bytes]));
          note({ ...run, preview: { url, nodeId: event.data.display_node_id } });
          // The shown picture stays until the next one is available.
          if (before !== undefined) setTimeout(() => URL.revokeObjectURL(before), 1000);
        } else note(runAfter(run, event));
        if (event.type === 'executed') {
          void queryClient.invalidateQueries({ queryKey: ['job', jobId, 'outputs'] });
        }
      }
    };
    const followToEnd = async () => {
      try {
        await follow();
      } catch {
        // The job shows how it ended, and the frame shows a lost connection.
      }
      if (abort.signal.aborted) return;
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => ['jobs', 'job', 'assets', 'me'].includes(String(queryKey[0])),
      });
      note(endedRun(run));
    };
    void followToEnd();
    return () => {
      abort.abort();
      clearTimeout(timer);
      if (run.preview) URL.revokeObjectURL(run.preview.url);
    };
  }, [jobId]);
  return shown !== undefined && shown.id === jobId ? shown.run : NOT_STARTED;
}
