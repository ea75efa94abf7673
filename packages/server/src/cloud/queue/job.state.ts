import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { sourcesOf, type Transitions } from '../../platform/transitions.ts';

/**
 * A job waits, runs and ends. It waits again only when its runner was lost and attempts remain, or when the runner gives it back
 * because it stops or makes room for other accounts. A final state never changes.
 */
export const JOB_TRANSITIONS = {
  pending: ['in_progress', 'cancelled'],
  in_progress: ['pending', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Transitions<JobStatus>;

export function jobSourcesOf(to: JobStatus): readonly JobStatus[] {
  return sourcesOf<JobStatus>(JOB_TRANSITIONS, to);
}
