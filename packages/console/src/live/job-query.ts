import type { JobDetail } from '@atelier/sdk';
import { queryOptions } from '@tanstack/react-query';

import { atelier } from '../atelier.ts';
import { isStreamOpen } from './stream-state.ts';

/** How often the server is asked while no stream tells what happens. */
export const POLL_MS = 3000;

/** A job with its workflow. Seeds of 64 bits are exact, so that it can run again. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => await atelier.jobs.get(id, { isExact: true, signal }),
    refetchInterval: ({ state }) => (isActive(state.data) && !isStreamOpen() ? POLL_MS : false),
  });

/** Whether it waits or runs. */
export function isActive(job: Pick<JobDetail, 'status'> | undefined): boolean {
  return job?.status === 'pending' || job?.status === 'in_progress';
}
