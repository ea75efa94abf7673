import type { Meters } from '../platform/metrics/create-meters.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import type { JobQueue } from './queue/create-job-queue.ts';
import type { Recovered } from './queue/job-queue.ts';
import type { QueueNotes } from './queue-history.ts';
import { sumLines } from './use.repo.ts';

interface Parts extends ServiceParts {
  readonly queue: JobQueue;
  readonly meters: Meters;
  readonly notes?: QueueNotes;
}

/** Wraps the queue with metrics of claims and ends. Submissions use the queue directly. */
export function measureJobs({ queue, db, clock, meters, notes }: Parts): JobQueue {
  meters.gauge({
    name: 'atelier_jobs',
    help: 'Jobs that wait and that run now, of all servers on this database.',
    labels: { state: ['waiting', 'running'] },
    async read() {
      const { waiting, running } = await sumLines(db);
      return [
        [{ state: 'waiting' }, waiting],
        [{ state: 'running' }, running],
      ];
    },
  });
  const ended = meters.counter({
    name: 'atelier_jobs_ended_total',
    help: 'Jobs that this server has ended.',
    labels: { status: ['completed', 'failed', 'cancelled'] },
  });
  const returned = meters.counter({
    name: 'atelier_jobs_returned_total',
    help: 'Jobs that this server has put back into the queue because the server or worker that ran them was lost.',
    labels: {},
  });
  const waits = meters.seconds({
    name: 'atelier_job_wait_seconds',
    help: 'Time from the acceptance of a job to the begin of its first attempt.',
    labels: {},
  });
  const runs = meters.seconds({
    name: 'atelier_job_run_seconds',
    help: 'Time that the attempt took which completed or failed a job.',
    labels: { status: ['completed', 'failed'] },
  });
  /** The start of each run, by the claimed job, which its run holds until it ends. */
  const begun = new WeakMap<object, number>();

  function counted(recovered: Recovered): Recovered {
    returned.add({}, recovered.returned);
    ended.add({ status: 'failed' }, recovered.failed.length);
    notes?.ended('failed', recovered.failed.length);
    return recovered;
  }

  return {
    ...queue,
    async claim(unable) {
      const job = await queue.claim(unable);
      if (!job) return undefined;
      const now = clock();
      begun.set(job, now);
      if (job.attempt === 1) waits.observe({}, (now - job.createdAt) / 1000);
      notes?.begun(Math.max(0, now - job.createdAt));
      return job;
    },
    async finish(job, end) {
      const now = clock();
      const counts = await queue.finish(job, end);
      if (!counts) return undefined;
      ended.add({ status: end.status });
      notes?.ended(end.status);
      const since = begun.get(job);
      if (since !== undefined) runs.observe({ status: end.status }, (now - since) / 1000);
      return counts;
    },
    async cancel(...args) {
      const cancelled = await queue.cancel(...args);
      ended.add({ status: 'cancelled' }, cancelled?.length ?? 0);
      notes?.ended('cancelled', cancelled?.length ?? 0);
      return cancelled;
    },
    lose: async (job, retry) => counted(await queue.lose(job, retry)),
    recover: async (running) => counted(await queue.recover(running)),
    recoverAll: async () => counted(await queue.recoverAll()),
  };
}
