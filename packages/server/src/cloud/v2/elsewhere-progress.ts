import type { JobMessages, V2Progress } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import { createJobProgress, type JobProgress } from '../events/job-progress.ts';
import type { MessageEvent } from '../events/user-event.ts';
import { findRequest } from './jobs.repo.ts';

/** Adds a message of the bus to the progress of its job. */
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

export type ProgressElsewhere = ReturnType<typeof createProgressElsewhere>;

/** The progress of jobs that other servers run, as far as this one has heard of it. */
export function createProgressElsewhere({ db, presentElsewhere }: Parts) {
  const heardOf = (userId: string, jobId: string) =>
    presentElsewhere(userId).filter((event) => event.jobId === jobId);

  /** `undefined` when there is no such job. */
  async function reader(userId: string, jobId: string): Promise<JobProgress | undefined> {
    const request = await findRequest(db, userId, jobId);
    if (!request) return undefined;
    const progress = createJobProgress(request);
    for (const event of heardOf(userId, jobId)) noteMessage(progress, event);
    return progress;
  }

  return {
    reader,
    /** `null` when nothing was heard of it. */
    async read(userId: string, jobId: string): Promise<V2Progress | null> {
      if (heardOf(userId, jobId).length === 0) return null;
      return (await reader(userId, jobId))?.read() ?? null;
    },
  };
}
