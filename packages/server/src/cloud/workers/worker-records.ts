import type { Worker } from '@atelier/contracts';

import type { WorkerIdentity } from './connected-worker.ts';

interface WorkerError extends Omit<Worker['errors'][number], 'at'> {
  readonly at: number;
}

/** Why an attempt failed. Attempts that fail together share one object. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
}

/** Why a worker gets no jobs. */
export interface Quarantine {
  readonly reason: string;
  /** No administrator started it; a successful probe job ends it. */
  readonly isAutomatic: boolean;
}

/** The history of a worker at this server. A new process with its token and name continues it. */
export interface WorkerRecord {
  readonly errors: WorkerError[];
  /** How many jobs it ended on its last day, counted from 1970. */
  ended: { readonly day: number; readonly count: number };
  quarantine: Quarantine | undefined;
}

const MAX_RECORDS = 1000;
const MAX_ERRORS = 10;

/** One record for each token and name. A process may connect before the one that it replaces has left. */
export function createWorkerRecords() {
  const records = new Map<string, WorkerRecord>();

  return ({ tokenId }: WorkerIdentity, name: string): WorkerRecord => {
    const key = `${tokenId} ${name}`;
    const record = records.get(key) ?? { errors: [], ended: { day: 0, count: 0 }, quarantine: undefined };
    // The latest records are kept.
    records.delete(key);
    records.set(key, record);
    if (records.size > MAX_RECORDS) records.delete(records.keys().next().value ?? '');
    return record;
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
