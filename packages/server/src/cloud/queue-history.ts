import type { QueueHistory } from '@atelier/contracts';

import { toIso } from '../platform/clock.ts';
import { repeatEvery } from '../platform/repeat-every.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { sumLines } from './use.repo.ts';

const STEP_MS = 10_000;
const KEPT_MS = 6 * 3_600_000;

export type QueueNotes = ReturnType<typeof createQueueHistory>['notes'];

interface Parts extends ServiceParts {
  readonly onError: (error: unknown) => void;
}

/** The recent history of the queue, for charts. It is kept in memory: it is useless after a day, and computing it would read thousands of jobs. */
export function createQueueHistory({ db, clock, onError }: Parts) {
  const points: QueueHistory['points'] = [];
  let step = emptyStep();
  let stop = async (): Promise<void> => {};

  async function sample(): Promise<void> {
    const { started, waitMs, maxWaitMs, ...ends } = step;
    step = emptyStep();
    const { waiting, running } = await sumLines(db);
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

  const notes = {
    begun(waitMs: number): void {
      step.started += 1;
      step.waitMs += waitMs;
      step.maxWaitMs = Math.max(step.maxWaitMs, waitMs);
    },
    ended(status: 'completed' | 'failed' | 'cancelled', count = 1): void {
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
