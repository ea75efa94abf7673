import type { JobOutput } from '@atelier/sdk';
import { queryOptions } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';

/** The node types of the server. Some megabytes, and rarely changed. */
export const nodeTypesQuery = queryOptions({
  queryKey: ['node types'],
  queryFn: async ({ signal }) => await atelier.nodeTypes.list({ signal }),
  staleTime: 60_000,
});

/** The outputs of a job so far. */
export const outputsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId, 'outputs'],
    queryFn: async ({ signal }): Promise<JobOutput[]> => await atelier.jobs.attach(jobId).outputs({ signal }),
    // The links work for an hour.
    staleTime: 30 * 60_000,
  });

const MAX_RUNS = 30;

/** Runs of a workflow, the newest first: jobs carry its name. */
export const runsQuery = (name: string) =>
  queryOptions({
    queryKey: ['jobs', 'runs', name],
    queryFn: async ({ signal }) =>
      (await atelier.jobs.list({ workflowName: name, pageSize: MAX_RUNS, signal }).page()).items,
    enabled: name !== '',
  });

export const examplesQuery = queryOptions({
  queryKey: ['workflows', 'examples'],
  queryFn: async ({ signal }) => await atelier.workflows.examples({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const MAX_SAVED = 100;

export const savedQuery = (name?: string) =>
  queryOptions({
    queryKey: ['workflows', 'saved', name ?? ''],
    queryFn: async ({ signal }) => await atelier.workflows.list({ name, limit: MAX_SAVED, signal }),
  });
