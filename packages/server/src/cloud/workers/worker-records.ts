import type { ConnectedWorker, WorkerIdentity } from './connected-worker.ts';

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

/** The records of workers that have left. */
export function createWorkerRecords() {
  const records = new Map<string, WorkerRecord>();
  const keyOf = ({ tokenId }: WorkerIdentity, name: string): string => `${tokenId} ${name}`;

  return {
    keep({ identity, hello, record }: ConnectedWorker): void {
      records.set(keyOf(identity, hello.name), record);
      if (records.size > MAX_RECORDS) records.delete(records.keys().next().value ?? '');
    },
    /** The record of the process before, or a new one. */
    take(identity: WorkerIdentity, name: string): WorkerRecord {
      const key = keyOf(identity, name);
      const record = records.get(key);
      records.delete(key);
      return record ?? { errors: [], ended: { day: 0, count: 0 }, quarantine: undefined };
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
