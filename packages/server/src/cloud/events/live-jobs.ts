import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { createLiveJob, type LiveJob, type StartedJob } from './create-live-job.ts';
import type { UserEvent } from './user-event.ts';

export type { LiveJob } from './create-live-job.ts';

/** A message that is stored with the job: all but progress, previews and text. */
export interface KeptEvent {
  /** `<attempt>-<number>`, counting up within the attempt. */
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

export interface JobRecord {
  readonly status: JobStatus;
  /** Empty until the job has ended. */
  readonly events: readonly KeptEvent[];
}

interface Parts {
  readonly bus: Bus<UserEvent>;
  readonly clock: Clock;
}

export type LiveJobs = ReturnType<typeof createLiveJobs>;

/** The attempts that this server runs. */
export function createLiveJobs({ bus, clock }: Parts) {
  const jobs = new Map<string, LiveJob>();

  return {
    begin(job: StartedJob): LiveJob {
      // After a lost lease, a job may return here before its old attempt has noticed.
      jobs.get(job.id)?.end();
      const onEnd = () => {
        if (jobs.get(job.id) === made) jobs.delete(job.id);
      };
      const made = createLiveJob({ bus, clock, onEnd }, job);
      jobs.set(job.id, made);
      return made;
    },
    of: (userId: string) => [...jobs.values()].filter((job) => job.userId === userId),
    get: (jobId: string) => jobs.get(jobId),
  };
}
