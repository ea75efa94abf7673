import { queryClient } from '../query-client.ts';

/** Many events cost few requests: one reading at a time, and a pause after each. */
const PAUSE_MS = 500;

let isReading = false;
let isWanted = false;
let hasEnded = false;
const jobs = new Set<string>();

/** Reads the lists again, and the job if there is one, because an event has made them old. */
export function readAgain(jobId?: string, isEnd = false): void {
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
    // The queries themselves show what fails here.
    await queryClient.invalidateQueries({ predicate });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  isReading = false;
}
