import type { JobDetail } from '@atelier/sdk';
import { queryOptions } from '@tanstack/react-query';

import { atelier } from '../atelier.ts';
import { isStreamOpen } from './stream-state.ts';

/** How often to poll while the event stream is closed. */
export const POLL_MS = 3000;

/** A job with its workflow. 64-bit seeds stay exact, so that it can run again. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => await atelier.jobs.get(id, { isExact: true, signal }),
    refetchInterval: ({ state }) => (isActive(state.data) && !isStreamOpen() ? POLL_MS : false),
  });

/** Whether a job is waiting or running. */
export function isActive(job: Pick<JobDetail, 'status'> | undefined): boolean {
  return job?.status === 'pending' || job?.status === 'in_progress';
}
