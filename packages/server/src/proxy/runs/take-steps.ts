import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskKind } from '@atelier/contracts';

import { outageOf, throughOutages } from '../../platform/errors/outages.ts';
import { type PictureSources, PictureUnreachable } from '../pictures/picture-sources.ts';
import type { TaskContents } from '../pictures/task-contents.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import {
  type VendorAdapter,
  type VendorContext,
  type VendorTask,
  type VendorTaskStatus,
  VendorTrouble,
} from '../vendors/vendor.ts';
import { createBringInputs } from './bring-inputs.ts';
import type { HeldTaskChanges } from './change-held-task.ts';
import type { HeldTask } from './claim-tasks.ts';
import { pollDelayMs, retryDelayMs } from './delays.ts';
import { createFetchPictures, UnusableInput } from './fetch-pictures.ts';
import { createKeepResults, UnusableResult } from './keep-results.ts';
import { LeaseLost } from './leases.repo.ts';

interface Parts extends ProxyParts {
  readonly changes: HeldTaskChanges;
  readonly contents: TaskContents;
  readonly sources: PictureSources;
  readonly publicUrl: string | undefined;
  readonly callbackUrl: (taskId: string) => string | undefined;
  readonly random: () => number;
}

interface Step {
  /** With the changes of this step so far. */
  held: HeldTask;
  /** Ends the step: the server stops, or the lease is gone. */
  readonly signal: AbortSignal;
}

interface VendorStep extends Step {
  readonly adapter: VendorAdapter;
  readonly onProgress: (progress: number) => void;
}

export type TakeSteps = ReturnType<typeof createTakeSteps>;

/** How often a task is begun again after its server was lost. */
const MAX_LOSSES = 2;
/** How often the fetch of a picture is retried. */
const MAX_FETCHES = 4;
/** How often a step is retried after an unforeseen error. */
const MAX_ERRORS = 3;

/**
 * One step of a task: begins it or checks it, and stores the outcome. Above all, a request that may have reached a vendor who would make a
 * second one is never sent again.
 */
export function createTakeSteps(parts: Parts) {
  const { clock, changes, contents, workFolder, callbackUrl, random, onError } = parts;
  const fetchPictures = createFetchPictures(parts);
  const bringInputs = createBringInputs(parts);
  const keepResults = createKeepResults(parts);

  async function begin(step: VendorStep): Promise<void> {
    const { adapter } = step;
    await using folder = await mkdtempDisposable(join(workFolder, 'step-'));
    step.held = await changes.toQueued(step.held);
    const inputs = await bringInputs(step.held, folder.path);
    step.held = await changes.markSent(step.held);
    // A local adapter works during `begin`.
    if (adapter.description.isLocal) step.held = await changes.toRunning(step.held);
    await apply(step, await adapter.begin(toVendorTask(step.held, inputs, folder.path), contextOf(step)));
  }

  async function look(step: VendorStep, vendorTaskId: string): Promise<void> {
    const task = toVendorTask(step.held, {}, workFolder);
    await apply(step, await step.adapter.check(vendorTaskId, task, contextOf(step)));
  }

  async function apply({ held, signal }: VendorStep, taskStatus: VendorTaskStatus): Promise<void> {
    // The vendor will not say it again, or would charge twice for it.
    const write = async (work: () => Promise<void>) => await throughOutages(work, { signal, onError });
    if (taskStatus.state === 'failed') return await write(async () => await changes.fail(held, taskStatus));
    if (taskStatus.state === 'done') {
      const results = await keepResults(taskStatus.files, signal);
      try {
        return await write(async () => await changes.complete(held, results));
      } catch (error) {
        // Another server has the task now, with files of its own.
        await contents.sweep(results.map(({ hash }) => hash));
        throw error;
      }
    }
    const { vendorTaskId, state, progress, askAgainMs } = taskStatus;
    const wait = pollDelayMs({ polls: held.looks, wished: askAgainMs, random: random() });
    const next = { vendorTaskId, state, progress, dueAt: clock() + wait };
    return await write(async () => await changes.leaveWithVendor(held, next));
  }

  /** Retries what may pass. Ends the task when it may have been done already or never can be. */
  async function recover({ held, signal }: Step, isRepeatable: boolean, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    if (error instanceof UnusableInput || error instanceof UnusableResult) {
      return await changes.fail(held, error);
    }
    if (error instanceof PictureUnreachable && held.troubles >= MAX_FETCHES) {
      return await changes.fail(held, { code: 'ImageDownloadFailure', message: error.message });
    }
    const trouble = error instanceof VendorTrouble ? error : undefined;
    const isOutage = outageOf(error) !== undefined;
    const isForeseen = trouble !== undefined || isOutage || error instanceof PictureUnreachable;
    if ((!isForeseen || isOutage) && !signal.aborted) onError(error);
    const surelyNotSent = trouble ? !trouble.mayHaveArrived : held.sent_at === null;
    const isBegun = held.vendor_task_id !== null;
    if (!isBegun && !surelyNotSent && !isRepeatable) return await changes.fail(held, UNCERTAIN);
    const now = clock();
    if (now >= held.deadline_at) return await changes.fail(held, TOO_LATE);
    if (signal.aborted) return await changes.putBack(held, { dueAt: now, isTrouble: false, surelyNotSent });
    if (!isForeseen && held.troubles >= MAX_ERRORS) return await changes.fail(held, BROKEN);
    const wait = retryDelayMs({ failures: held.troubles, wished: trouble?.retryAfterMs, random: random() });
    return await changes.putBack(held, { dueAt: now + wait, isTrouble: true, surelyNotSent });
  }

  function contextOf({ held, signal, onProgress }: VendorStep): VendorContext {
    return { signal, onProgress, callbackUrl: callbackUrl(held.id) };
  }

  /** No step goes on past the task's deadline. */
  const withDeadline = <Given extends Step>(given: Given): Given => {
    const left = Math.max(given.held.deadline_at - clock(), 0);
    return { ...given, signal: AbortSignal.any([given.signal, AbortSignal.timeout(left)]) };
  };

  return {
    /** Fetches the pictures that the request named by URL, so that no renderer waits for a slow server. */
    async fetch(given: Step): Promise<void> {
      const step = withDeadline(given);
      try {
        if (clock() >= step.held.deadline_at) return await changes.fail(step.held, TOO_LATE);
        await fetchPictures(step.held, step.signal);
        return await changes.toWork(step.held);
      } catch (error) {
        return await recover(step, true, error);
      }
    },

    async work(given: VendorStep): Promise<void> {
      const step = withDeadline(given);
      const { held, adapter } = step;
      try {
        if (clock() >= held.deadline_at) return await changes.fail(held, TOO_LATE);
        if (held.vendor_task_id !== null) return await look(step, held.vendor_task_id);
        if (held.sent_at !== null && !adapter.isRepeatable) return await changes.fail(held, UNCERTAIN);
        if (held.losses > MAX_LOSSES) return await changes.fail(held, LOST);
        return await begin(step);
      } catch (error) {
        return await recover(step, adapter.isRepeatable, error);
      }
    },
  };
}

function toVendorTask(held: HeldTask, inputs: VendorTask['inputs'], folder: string): VendorTask {
  const settings = JSON.parse(held.settings) as VendorTask['settings'];
  return { id: held.id, kind: held.kind as TaskKind, seed: held.seed, settings, inputs, folder };
}

const UNCERTAIN = {
  code: 'VendorUncertain',
  message:
    'The vendor may have got the request, but its answer was lost. It was not sent again, so that nothing is made twice.',
};
const TOO_LATE = { code: 'TaskTimeout', message: 'The task did not end in the time that tasks have.' };
const LOST = { code: 'RunnerLost', message: 'The server was lost three times while it worked on the task.' };
const BROKEN = {
  code: 'InternalServiceFailure',
  message: 'Something failed inside the server, several times.',
};
