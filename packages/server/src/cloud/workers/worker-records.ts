import type { WorkerIdentity } from './connected-worker.ts';

export interface WorkerError {
  readonly at: number;
  readonly cause: string;
  readonly message: string;
  readonly job_id: string;
}

/** Why an attempt broke. All that break together have the same. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
}

/** It gets no jobs. */
export interface Quarantine {
  readonly reason: string;
  /** Not by an administrator: a probe job ends it. */
  readonly isAutomatic: boolean;
}

/** How a worker has done here. A new process with its token and name goes on with it. */
export interface WorkerRecord {
  readonly errors: WorkerError[];
  /** Jobs that it has ended on a day, counted from 1970. */
  ended: { readonly day: number; readonly count: number };
  quarantine: Quarantine | undefined;
}

const MAX_RECORDS = 1000;
const MAX_ERRORS = 10;

/** One for each token and name: also for a process that is there before the one it replaces has left. */
export function createWorkerRecords() {
  const records = new Map<string, WorkerRecord>();

  return {
    of({ tokenId }: WorkerIdentity, name: string): WorkerRecord {
      const key = `${tokenId} ${name}`;
      const record = records.get(key) ?? {
        errors: [],
        ended: { day: 0, count: 0 },
        quarantine: undefined,
      };
      // Those that came last are kept.
      records.delete(key);
      records.set(key, record);
      if (records.size > MAX_RECORDS) records.delete(records.keys().next().value ?? '');
      return record;
    },
  };
}

export function addError({ errors }: WorkerRecord, error: WorkerError): void {
  errors.unshift(error);
  errors.length = Math.min(errors.length, MAX_ERRORS);
}

const DAY_MS = 86_400_000;

/** How many jobs it has ended since 00:00 UTC. */
export function endedToday({ ended }: WorkerRecord, now: number): number {
  return ended.day === Math.floor(now / DAY_MS) ? ended.count : 0;
}

export function countEnded(record: WorkerRecord, now: number): void {
  record.ended = { day: Math.floor(now / DAY_MS), count: endedToday(record, now) + 1 };
}
