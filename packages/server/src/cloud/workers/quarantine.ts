import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerJob } from '@atelier/contracts';

import type { ConnectedWorker } from './connected-worker.ts';
import type { Workers } from './create-workers.ts';

/** So many attempts in a row with trouble that is the worker's own. */
const MAX_TROUBLES = 3;
const PROBE_MS = 30_000;
const READY_LOOK_MS = 100;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 10 * 60_000;
/**
 * Trouble that comes back so soon after a probe, with jobs of several accounts, is worth a longer pause. Jobs of one account may
 * themselves be the trouble, and the other accounts must not wait for that.
 */
const RELAPSE_MS = 5 * 60_000;

interface Health {
  troubles: number;
  /** Whose jobs they were. */
  readonly users: Set<string>;
  pauses: number;
  releasedAt: number;
  /** Ends the pause before the next probe. */
  wake: AbortController;
}

interface Parts {
  readonly workers: () => Pick<Workers, 'takeAt' | 'setWanted' | 'get'>;
  readonly signal: AbortSignal;
  readonly onQuarantine: (worker: ConnectedWorker) => void;
  readonly pauseMs?: number;
}

/**
 * Keeps jobs away from a worker that has broken several in a row, and lets it back when a probe job succeeds. The first probe comes at
 * once, so that jobs which were themselves the trouble cost a good worker nothing.
 */
export function createQuarantine({ workers, signal, onQuarantine, pauseMs = FIRST_PAUSE_MS }: Parts) {
  const healths = new WeakMap<ConnectedWorker, Health>();

  async function seeThrough(worker: ConnectedWorker, health: Health): Promise<void> {
    const reason = worker.quarantine;
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
      // Somebody else has decided meanwhile, or it has left.
      if (worker.quarantine !== reason || workers().get(worker.hello.instance) !== worker) return;
      if (await passesProbe(workers(), worker, signal)) break;
    }
    health.troubles = 0;
    health.users.clear();
    health.releasedAt = performance.now();
    workers().setWanted(worker, { drain: worker.isDraining, quarantine: undefined });
  }

  return {
    /** Its trouble is over: it is probed at once. */
    wake(worker: ConnectedWorker): void {
      healths.get(worker)?.wake.abort();
    },
    note(
      worker: ConnectedWorker,
      trouble: { readonly cause: string; readonly message: string } | undefined,
      userId: string,
    ): void {
      const health = healths.get(worker) ?? {
        troubles: 0,
        users: new Set<string>(),
        pauses: 0,
        releasedAt: Number.NEGATIVE_INFINITY,
        wake: new AbortController(),
      };
      healths.set(worker, health);
      health.troubles = trouble ? health.troubles + 1 : 0;
      if (trouble) health.users.add(userId);
      else health.users.clear();
      if (!trouble || health.troubles < MAX_TROUBLES || worker.quarantine !== undefined) return;
      worker.quarantine = `${MAX_TROUBLES} attempts in a row failed by trouble of the worker. The last: ${trouble.cause}: ${trouble.message}`;
      onQuarantine(worker);
      void seeThrough(worker, health);
    },
  };
}

async function passesProbe(
  workers: Pick<Workers, 'takeAt'>,
  worker: ConnectedWorker,
  stopping: AbortSignal,
): Promise<boolean> {
  const jobId = `probe-${randomUUID()}`;
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_MS)]);
    let lane = workers.takeAt(worker);
    // It has yet to be ready for another job after the last one.
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
