import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerJob } from '@atelier/contracts';

import type { ConnectedWorker } from './connected-worker.ts';
import type { Workers } from './create-workers.ts';
import type { Trouble, WorkerRecord } from './worker-records.ts';

/** After this many attempts in a row with trouble of the worker, it is quarantined. */
const MAX_TROUBLES = 3;
const PROBE_MS = 30_000;
const READY_LOOK_MS = 100;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 10 * 60_000;
/**
 * Trouble that returns this soon after a probe, with jobs of several accounts, deserves a longer pause. If all jobs belong to one account,
 * they may be the cause, and other accounts must not wait for them.
 */
const RELAPSE_MS = 5 * 60_000;

const newHealth = () => ({
  troubles: 0,
  /** The last trouble, which may have ended several attempts. */
  last: undefined as Trouble | undefined,
  users: new Set<string>(),
  pauses: 0,
  releasedAt: Number.NEGATIVE_INFINITY,
  /** Ends the pause before the next probe. */
  wake: new AbortController(),
  /** The process that is being probed. */
  probed: undefined as ConnectedWorker | undefined,
});
type Health = ReturnType<typeof newHealth>;

interface Parts {
  readonly workers: () => Pick<Workers, 'takeAt' | 'setWanted' | 'get' | 'load'>;
  readonly signal: AbortSignal;
  readonly onQuarantine: (worker: ConnectedWorker) => void;
  readonly pauseMs?: number;
}

/**
 * Keeps jobs away from a worker that has failed several in a row, and releases it when a probe job succeeds. The first probe runs at
 * once, so that a good worker loses nothing when the jobs themselves were the trouble.
 */
export function createQuarantine({ workers, signal, onQuarantine, pauseMs = FIRST_PAUSE_MS }: Parts) {
  const healths = new WeakMap<WorkerRecord, Health>();

  async function seeThrough(worker: ConnectedWorker, health: Health): Promise<void> {
    const { quarantine } = worker.record;
    // An administrator may decide meanwhile, or the worker may leave.
    const isOver = (): boolean =>
      worker.record.quarantine !== quarantine || workers().get(worker.hello.instance) !== worker;
    health.probed = worker;
    const isRelapse = performance.now() - health.releasedAt < RELAPSE_MS && health.users.size > 1;
    if (!isRelapse) health.pauses = 0;
    for (let isFirst = !isRelapse; !signal.aborted; isFirst = false) {
      if (!isFirst) {
        const either = AbortSignal.any([signal, health.wake.signal]);
        const pause = Math.min(pauseMs * 2 ** health.pauses, MAX_PAUSE_MS);
        await delay(pause, undefined, { signal: either }).catch(() => {});
        health.wake = new AbortController();
        health.pauses += 1;
      }
      if (isOver()) return;
      const isWell = await passesProbe(workers(), worker, signal);
      if (isOver()) return;
      if (isWell) break;
    }
    health.users.clear();
    health.releasedAt = performance.now();
    health.probed = undefined;
    workers().setWanted(worker, { drain: worker.isDraining, quarantine: undefined });
  }

  return {
    /** Probes a worker at once, because its trouble is over. */
    wake(worker: ConnectedWorker): void {
      healths.get(worker.record)?.wake.abort();
    },
    /** A new process continues the quarantine of the previous one, and is probed at once. */
    arrived(worker: ConnectedWorker): void {
      const health = healths.get(worker.record);
      if (!health || !worker.record.quarantine?.isAutomatic || health.probed === worker) return;
      void seeThrough(worker, health);
    },
    note(worker: ConnectedWorker, trouble: Trouble | undefined, userId: string): void {
      const { record } = worker;
      const health = healths.getOrInsertComputed(record, newHealth);
      // Jobs that it was still running say nothing new.
      if (record.quarantine !== undefined) return;
      if (!trouble) health.troubles = 0;
      else if (trouble !== health.last) health.troubles += 1;
      health.last = trouble;
      if (trouble) health.users.add(userId);
      else health.users.clear();
      if (!trouble || health.troubles < MAX_TROUBLES) return;
      health.troubles = 0;
      const reason = `${MAX_TROUBLES} attempts in a row failed by trouble of the worker. The last: ${trouble.reason}: ${trouble.message.trim()}`;
      record.quarantine = { reason, isAutomatic: true };
      onQuarantine(worker);
      void seeThrough(worker, health);
    },
  };
}

async function passesProbe(
  workers: Pick<Workers, 'takeAt' | 'load'>,
  worker: ConnectedWorker,
  stopping: AbortSignal,
): Promise<boolean> {
  const jobId = `probe-${randomUUID()}`;
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_MS)]);
    workers.load();
    let lane = workers.takeAt(worker);
    // It may not be ready again after its last job.
    for (; !lane; lane = workers.takeAt(worker)) await delay(READY_LOOK_MS, undefined, { signal });
    const { status } = await lane.run(`${jobId}/1`, { job: probe(jobId), signal, onEvent: () => {} });
    return status === 'success';
  } catch {
    return false;
  }
}

function probe(jobId: string): WorkerJob {
  const graph = {
    number: { class_type: 'PrimitiveInt', inputs: { value: 1 } },
    show: { class_type: 'PreviewAny', inputs: { source: ['number', 0] } },
  };
  return {
    jobId,
    graph: JSON.stringify(graph),
    extraData: '{}',
    targets: ['show'],
    order: ['number', 'show'],
    scope: 'probe',
    // It reads and writes nothing.
    files: { kind: 'folders', folders: { input: tmpdir(), output: tmpdir(), temp: tmpdir() } },
  };
}
