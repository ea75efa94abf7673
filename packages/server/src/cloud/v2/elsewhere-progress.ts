import type { JobMessages, V2Progress } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import { createJobProgress, type JobProgress } from '../events/job-progress.ts';
import type { MessageEvent } from '../events/user-event.ts';
import { findRequest } from './jobs.repo.ts';

/** Adds what a message of the bus says to the progress of its job. */
export function noteMessage(
  progress: JobProgress,
  { type, data }: Pick<MessageEvent, 'type' | 'data'>,
): void {
  if (type === 'progress_state') {
    progress.noteState((JSON.parse(data) as JobMessages['progress_state']).nodes);
  } else if (type === 'progress') {
    progress.note({ type, data: JSON.parse(data) as JobMessages['progress'] });
  } else if (type === 'execution_cached') {
    progress.note({ type, data: JSON.parse(data) as JobMessages['execution_cached'] });
  }
}

interface Parts {
  readonly db: Db;
  /** What was heard of jobs that run on other servers. */
  readonly presentElsewhere: (userId: string) => readonly MessageEvent[];
}

/** A reader of the progress of a job that another server runs, with what was heard of it so far; `undefined` when there is no such job. */
export async function progressReader(
  { db, presentElsewhere }: Parts,
  userId: string,
  jobId: string,
): Promise<JobProgress | undefined> {
  const request = await findRequest(db, userId, jobId);
  if (!request) return undefined;
  const progress = createJobProgress(request);
  for (const event of presentElsewhere(userId)) if (event.jobId === jobId) noteMessage(progress, event);
  return progress;
}

/** `null` when nothing was heard of it. */
export async function progressElsewhere(
  parts: Parts,
  userId: string,
  jobId: string,
): Promise<V2Progress | null> {
  const isKnown = parts.presentElsewhere(userId).some((event) => event.jobId === jobId);
  return isKnown ? ((await progressReader(parts, userId, jobId))?.read() ?? null) : null;
}
