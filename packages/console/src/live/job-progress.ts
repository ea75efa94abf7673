import type { JobProgress } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { jobQuery } from './job-query.ts';
import { useJobEvents } from './live-jobs.ts';

export interface LiveJob {
  readonly progress: JobProgress | undefined;
  /** The latest preview, as an address for `<img>`. */
  readonly preview: string | undefined;
}

/** The progress of a job and its latest preview, from the stream of all jobs. */
export function useJobProgress(id: string | undefined): LiveJob {
  const events = useJobEvents(id);
  const { data } = useQuery({ ...jobQuery(id ?? ''), enabled: events !== undefined });
  const nodes = data && Object.keys(data.workflow.prompt).length;
  return useMemo(
    () => ({ progress: events?.tracker.present(nodes), preview: events?.preview }),
    [events, nodes],
  );
}
