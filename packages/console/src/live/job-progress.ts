import type { JobProgress } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { jobQuery } from './job-query.ts';
import { useTold } from './live-jobs.ts';

export interface LiveJob {
  readonly progress: JobProgress | undefined;
  /** The newest picture of work under way, as an address for `<img>`. */
  readonly preview: string | undefined;
}

/** How far a job is, and its newest preview, as the events of all jobs tell it. */
export function useJobProgress(id: string | undefined): LiveJob {
  const told = useTold(id);
  const { data } = useQuery({ ...jobQuery(id ?? ''), enabled: told !== undefined });
  const nodes = data && Object.keys(data.workflow.prompt).length;
  return useMemo(() => ({ progress: told?.tracker.present(nodes), preview: told?.preview }), [told, nodes]);
}
