import type { MessageEvent } from './user-event.ts';

/** Of further jobs, only clients that were connected from the start hear everything. */
const MAX_JOBS = 10_000;

const REMEMBERED = ['execution_start', 'executing', 'progress_state'] as const;

type Present = Partial<Record<(typeof REMEMBERED)[number], MessageEvent>>;

/** Remembers what was heard of jobs on other servers, for clients that connect later. */
export function createJobsElsewhere() {
  const jobs = new Map<string, { readonly userId: string; present: Present }>();

  return {
    /** Remembers an event of another server. Returns false for a repeated one. */
    note(userId: string, event: MessageEvent): boolean {
      const { jobId } = event;
      const type = REMEMBERED.find((one) => one === event.type);
      if (jobId === undefined || !type) return true;
      const known = jobs.get(jobId);
      if (event.id !== undefined && known?.present[type]?.id === event.id) return false;
      if (type === 'execution_start') {
        if (known || jobs.size < MAX_JOBS) jobs.set(jobId, { userId, present: { [type]: event } });
      } else if (known) {
        known.present = { ...known.present, [type]: event };
      }
      return true;
    },
    /** The messages that a new client needs first, as for a job that runs here. */
    presentOf: (userId: string): readonly MessageEvent[] =>
      [...jobs.values()]
        .filter((job) => job.userId === userId)
        .flatMap(({ present }) => REMEMBERED.flatMap((type) => present[type] ?? [])),
    forget: (jobId: string) => void jobs.delete(jobId),
    forgetUser(userId: string): void {
      for (const [jobId, job] of jobs) if (job.userId === userId) jobs.delete(jobId);
    },
    forgetAll: () => jobs.clear(),
  };
}
