import type { JobStatus } from '../../platform/db/schema/cloud.ts';

/** An open job may still change; an ended one never does. */
export const OPEN = ['pending', 'in_progress'] as const satisfies readonly JobStatus[];
export const ENDED = ['completed', 'failed', 'cancelled'] as const satisfies readonly JobStatus[];

export function hasEnded({ status }: { readonly status: JobStatus }): boolean {
  return status !== 'pending' && status !== 'in_progress';
}

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** PostgreSQL cannot even compare some strings that are not ids, such as those with a NUL. */
export function isJobId(text: string): boolean {
  return JOB_ID.test(text);
}
