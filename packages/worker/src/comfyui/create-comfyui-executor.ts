import { hash, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { untilAborted } from '@atelier/engine';
import type { SavedFile } from '@atelier/nodes/save-path';

import {
  AttemptLost,
  type Executor,
  type ExecutorEvents,
  type ExecutorJob,
  type RunOptions,
} from '../executor.ts';
import { createComfyClient } from './comfyui-client.ts';
import { openComfySocket } from './comfyui-socket.ts';
import { cancelPrompt, listPrompts } from './find-prompt.ts';
import { Hung } from './follow-prompt.ts';
import { removeFiles } from './remove-files.ts';
import { removeLeft } from './remove-left.ts';
import { runJob } from './run-job.ts';
import { startComfyUi } from './start-comfyui.ts';
import { superviseComfyUi } from './supervise-comfyui.ts';

export interface ComfyUiOptions {
  readonly url: string;
  readonly start: string | undefined;
  /** Its folder on this machine, so that files of jobs can be removed. */
  readonly folder: string | undefined;
  /** Whether it drops results and models after each job. */
  readonly clearsCache: boolean;
  /** Whether to wait for a ComfyUI that does not answer yet. */
  readonly isPatient: boolean;
  readonly jobMs: number;
  readonly log: (sentence: string) => void;
}

/** One job that runs, and one whose inputs are already uploaded. */
const SLOTS = 2;
/** After a job as short as this, the next one is taken early. After a longer one, it might wait here while other workers are idle. */
const SHORT_JOB_MS = 5000;
/** How long the next job waits for its turn. */
const STAGED_MS = 10_000;
/** Between the submission of a prompt and its first message, no other request is sent: each would delay ComfyUI by 5 ms. */
const HANDOVER_MS = 50;
const ENDING_MS = 5;
const THERE_MS = 2000;
const MAX_USED_IDS = 10_000;
/** How long a worker that stops waits for its prompts at ComfyUI to stop. */
const LEAVE_MS = 1500;
const LEAVE_LOOK_MS = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Runs jobs at a ComfyUI, one prompt at a time. */
export function createComfyUiExecutor(
  { url, start, folder, clearsCache, isPatient, jobMs, log }: ComfyUiOptions,
  { onReady, onChange, onStatus }: Omit<ExecutorEvents, 'serverUrl'>,
): Executor {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const client = createComfyClient(url);
  const isThere = async (): Promise<boolean> =>
    await client.get('/prompt', { deadlineMs: THERE_MS }).then(
      () => true,
      () => false,
    );
  const comfyProcess =
    start === undefined
      ? undefined
      : startComfyUi({ command: start, folder: folder ?? process.cwd(), isThere, log });
  const comfy = superviseComfyUi({
    client,
    process: comfyProcess,
    folder: folder ?? (start === undefined ? undefined : process.cwd()),
    isPatient,
    signal: closing.signal,
    isBusy: () => busy > 0,
    onUp() {
      offerMore();
      cleanUp();
    },
    onChange,
    onStatus,
    log,
  });
  const socket = openComfySocket({
    url: client.url,
    signal: closing.signal,
    onLost: comfy.mayHaveRestarted,
  });
  const usedIds = new Set<string>();
  let cannotRemove = false;
  let owner = '';
  /** Prompts of jobs that run. */
  const active = new Set<string>();
  const flatInputs = new Set<string>();
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  let busy = 0;
  /** How many ready places the server knows of. */
  let offered = 0;
  let lastRunMs = Number.POSITIVE_INFINITY;
  /** When the current prompt was submitted. */
  let turnBeganAt = Number.POSITIVE_INFINITY;
  let turns = Promise.resolve();
  let staged = 0;
  let handover = Promise.resolve();

  function free(): number {
    if (!comfy.isUp()) return 0;
    const isShort = lastRunMs < SHORT_JOB_MS && performance.now() - turnBeganAt < SHORT_JOB_MS;
    const places = busy > 0 && isShort ? SLOTS : 1;
    return Math.max(0, places - busy);
  }

  function offerMore(): void {
    const more = free() - offered;
    if (more <= 0) return;
    offered += more;
    onReady(more);
  }

  async function takeTurn(signal: AbortSignal): Promise<Disposable> {
    const mine = Promise.withResolvers<void>();
    const before = turns;
    turns = before.then(async () => await mine.promise);
    // A job that waits longer goes back to the server, because other workers may be free.
    const returned = AbortSignal.any([comfy.downSignal(), AbortSignal.timeout(STAGED_MS)]);
    staged += 1;
    try {
      await untilAborted(before, AbortSignal.any([signal, returned]));
      assertUp();
    } catch (error) {
      mine.resolve();
      signal.throwIfAborted();
      throw error instanceof AttemptLost ? error : new AttemptLost('returned', 'ComfyUI runs another job.');
    } finally {
      staged -= 1;
    }
    const startedAt = performance.now();
    turnBeganAt = startedAt;
    let isOver = false;
    return {
      [Symbol.dispose]() {
        if (isOver) return;
        isOver = true;
        lastRunMs = performance.now() - startedAt;
        mine.resolve();
      },
    };
  }

  function beginHandover(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    handover = promise;
    setTimeout(resolve, HANDOVER_MS).unref();
    return resolve;
  }

  async function handedOver(): Promise<void> {
    // The last output of a prompt comes just before its end.
    if (staged > 0) await delay(ENDING_MS);
    await handover;
  }

  /** Returns a job that has not begun to the server. */
  function assertUp(): void {
    if (!comfy.isUp()) throw new AttemptLost('returned', 'ComfyUI is not there.');
  }

  /** The id of the job, unless an earlier attempt has used it, which was lost and is stopped. */
  async function choosePromptId(jobId: string): Promise<string> {
    if (!UUID.test(jobId)) return randomUUID();
    if (usedIds.has(jobId)) {
      await cancelPrompt(client, jobId);
      return randomUUID();
    }
    usedIds.add(jobId);
    if (usedIds.size > MAX_USED_IDS) usedIds.delete(usedIds.keys().next().value ?? '');
    return jobId;
  }

  async function describe(): Promise<string> {
    const description = await comfy.describe();
    // A worker that was killed leaves its prompts behind.
    if (usedIds.size === 0) for (const { id } of await listPrompts(client)) usedIds.add(id);
    return description;
  }

  /** Tried again when ComfyUI is up again. */
  function cleanUp(): void {
    if (owner === '') return;
    const parts = { client, owner, isActive: (id: string) => active.has(id), removeFiles: removeFilesOf };
    removeLeft({ ...parts, signal: closing.signal }).catch(() => {});
  }

  async function removeFilesOf(own: string, fetched: readonly SavedFile[] = []): Promise<void> {
    if (cannotRemove) return;
    await removeFiles(comfy.roots(), own, fetched).catch((error: unknown) => {
      cannotRemove = true;
      log(`Files of jobs stay at ComfyUI: they cannot be removed. ${String(error)}`);
    });
  }

  async function run(job: ExecutorJob, options: RunOptions) {
    assertUp();
    let promptId = '';
    try {
      promptId = await choosePromptId(job.jobId);
      active.add(promptId);
      return await runJob(
        {
          client,
          socket,
          comfy,
          flatInputs,
          takeTurn,
          beginHandover,
          handedOver,
          onLost(error) {
            if (error instanceof Hung) comfy.isHung(error.message, promptId);
          },
          clearsCache,
          jobMs,
          owner: () => owner,
          removeFiles: removeFilesOf,
        },
        { job, promptId },
        { ...options, signal: AbortSignal.any([options.signal, leaving.signal]) },
      );
    } catch (error) {
      if (error instanceof AttemptLost && error.why.cause === 'device') comfy.isBroken(error.message);
      else if (!(error instanceof Hung)) comfy.look();
      throw error;
    } finally {
      active.delete(promptId);
    }
  }

  return {
    kind: 'comfyui',
    slots: SLOTS,
    describe,
    facts: comfy.facts,
    installation: comfy.installation,
    ownedBy(id) {
      if (owner !== '') return;
      owner = hash('sha256', id).slice(0, 16);
      cleanUp();
    },
    ready() {
      offered = free();
      return offered;
    },
    take() {
      if (busy >= SLOTS) return undefined;
      busy += 1;
      offered = Math.max(0, offered - 1);
      offerMore();
      return {
        run,
        free() {
          busy -= 1;
          offerMore();
        },
      };
    },
    // ComfyUI caches results by their inputs, not by user.
    forget() {},
    // ComfyUI runs the checks itself when a prompt is submitted.
    check: async () => ({ result: true }),
    async close() {
      leaving.abort();
      const end = performance.now() + LEAVE_MS;
      while (active.size > 0 && performance.now() < end) await delay(LEAVE_LOOK_MS);
      closing.abort();
      await comfyProcess?.close();
    },
  };
}
