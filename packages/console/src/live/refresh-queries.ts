import { queryClient } from '../query-client.ts';

/** Many events cause few requests: one refresh at a time, with a pause after each. */
const PAUSE_MS = 500;

let isReading = false;
let isWanted = false;
let hasEnded = false;
const jobs = new Set<string>();

/** Refetches the lists, and the given job, because an event has made them stale. */
export function refreshQueries(jobId?: string, isEnd = false): void {
  isWanted = true;
  hasEnded ||= isEnd;
  if (jobId !== undefined) jobs.add(jobId);
  if (!isReading) void read();
}

async function read(): Promise<void> {
  isReading = true;
  while (isWanted) {
    const areas = new Set(hasEnded ? ['jobs', 'assets', 'me'] : ['jobs']);
    const ids = new Set(jobs);
    isWanted = false;
    hasEnded = false;
    jobs.clear();
    const predicate = ({ queryKey: [area, id] }: { readonly queryKey: readonly unknown[] }) =>
      areas.has(String(area)) || (area === 'job' && ids.has(String(id)));
    // Failures are shown by the queries themselves.
    await queryClient.invalidateQueries({ predicate });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  isReading = false;
}
