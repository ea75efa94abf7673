import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import { createLiveJob } from './create-live-job.ts';
import type { LiveJob, LiveJobs } from './live-jobs.ts';
import type { UserEvent } from './user-event.ts';

interface Parts {
  readonly bus: Bus<UserEvent>;
  readonly clock: Clock;
}

export function createLiveJobs({ bus, clock }: Parts): LiveJobs {
  const jobs = new Map<string, LiveJob>();

  return {
    begin(job) {
      // A lost lease may bring a job back here before its old attempt has noticed.
      jobs.get(job.id)?.end();
      const onEnd = () => {
        if (jobs.get(job.id) === made) jobs.delete(job.id);
      };
      const made = createLiveJob({ bus, clock, onEnd }, job);
      jobs.set(job.id, made);
      return made;
    },
    of: (userId) => [...jobs.values()].filter((job) => job.userId === userId),
    get: (jobId) => jobs.get(jobId),
  };
}
