import type { JobStatus } from '../../platform/db/schema/cloud.ts';

/** A job that is open may still change; one that has ended never does. */
export const OPEN = ['pending', 'in_progress'] as const satisfies readonly JobStatus[];
export const ENDED = ['completed', 'failed', 'cancelled'] as const satisfies readonly JobStatus[];

export function hasEnded({ status }: { readonly status: JobStatus }): boolean {
  return status !== 'pending' && status !== 'in_progress';
}

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Other texts name no job, and PostgreSQL cannot even compare some of them. */
export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}
