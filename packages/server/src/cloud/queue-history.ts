import type { QueueHistory } from '@atelier/contracts';

import { type Clock, toIso } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { repeatEvery } from '../platform/repeat-every.ts';
import { sumLines } from './use.repo.ts';

const STEP_MS = 10_000;
const KEPT_MS = 6 * 3_600_000;

type EndStatus = 'completed' | 'failed' | 'cancelled';

export interface QueueNotes {
  begun(waitMs: number): void;
  ended(status: EndStatus, count?: number): void;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** How the queue has been, for charts. In memory: it is worth nothing after a day, and rows of jobs would have to be read by the thousand. */
export function createQueueHistory({ db, clock, onError }: Parts) {
  const points: QueueHistory['points'] = [];
  let step = emptyStep();
  let stop = async (): Promise<void> => {};

  async function sample(): Promise<void> {
    const { started, waitMs, ...rest } = step;
    step = emptyStep();
    const { waiting, running } = await sumLines(db);
    const { maxWaitMs, ...ends } = rest;
    points.push({
      at: toIso(clock()),
      waiting,
      running,
      started,
      ...ends,
      ...(started > 0 && { mean_wait_ms: Math.round(waitMs / started), max_wait_ms: maxWaitMs }),
    });
    if (points.length > KEPT_MS / STEP_MS) points.shift();
  }

  const notes: QueueNotes = {
    begun(waitMs) {
      step.started += 1;
      step.waitMs += waitMs;
      step.maxWaitMs = Math.max(step.maxWaitMs, waitMs);
    },
    ended(status, count = 1) {
      step[status] += count;
    },
  };

  return {
    notes,
    read: (): QueueHistory => ({ step_ms: STEP_MS, points }),
    sample,
    start(): void {
      stop = repeatEvery(STEP_MS, sample, onError);
    },
    close: async () => await stop(),
  };
}

function emptyStep() {
  return { started: 0, waitMs: 0, maxWaitMs: 0, completed: 0, failed: 0, cancelled: 0 };
}
