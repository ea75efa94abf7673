import { hash, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SavedFile } from '@atelier/nodes/save-path';

import {
  AttemptLost,
  type Executor,
  type ExecutorEvents,
  type ExecutorJob,
  type RunOptions,
} from '../executor.ts';
import { createComfyClient } from './comfyui-client.ts';
import { type ComfyMessage, openComfySocket, SOCKET_LOST } from './comfyui-socket.ts';
import type { ComfyFrame } from './decode-frame.ts';
import { cancelPrompt, listPrompts } from './find-prompt.ts';
import { Hung } from './follow-prompt.ts';
import { removeFiles } from './remove-files.ts';
import { removeLeft } from './remove-left.ts';
import { runJob } from './run-job.ts';
import { startComfyUi } from './start-comfyui.ts';
import { superviseComfyUi } from './supervise-comfyui.ts';

export interface ComfyUiOptions {
  readonly url: string;
  /** A command that starts it. */
  readonly start: string | undefined;
  /** Where it is on this machine, so that files of jobs can be removed. */
  readonly folder: string | undefined;
  /** Nothing of one job stays for the next. */
  readonly clearsCache: boolean;
  /** Waits for a ComfyUI that does not answer yet. */
  readonly isPatient: boolean;
  readonly jobMs: number;
  readonly log: (sentence: string) => void;
}

/** One that runs, and one whose inputs are already there. */
const SLOTS = 2;
/** After a job as short as this, the next one is fetched before it is needed. A longer one might wait here while others are idle. */
const SHORT_JOB_MS = 5000;
/** For so long, the next job waits for its turn. */
const STAGED_MS = 10_000;
/** From the submission of a prompt to its first message, ComfyUI is asked nothing else: Python would let it wait for 5 ms each time. */
const HANDOVER_MS = 50;
const ENDING_MS = 5;
const THERE_MS = 2000;
const MAX_USED_IDS = 10_000;
/** How long a worker that ends waits until what runs at ComfyUI has stopped. */
const LEAVE_MS = 1500;
const LEAVE_LOOK_MS = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Runs jobs at a ComfyUI, one prompt at a time. */
export function createComfyUiExecutor(
  { url, start, folder, clearsCache, isPatient, jobMs, log }: ComfyUiOptions,
  { onReady, onChange, onStatus }: ExecutorEvents,
): Executor {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const client = createComfyClient(url);
  const listeners = new Set<(said: ComfyMessage | ComfyFrame) => void>();
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
    onMessage: tellAll,
    onLost() {
      comfy.mayHaveRestarted();
      tellAll(SOCKET_LOST);
    },
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
  /** What the server knows to be ready. */
  let offered = 0;
  let lastRunMs = Number.POSITIVE_INFINITY;
  /** When the prompt that is there now was submitted. */
  let turnBeganAt = Number.POSITIVE_INFINITY;
  let turns = Promise.resolve();
  /** How many wait for their turn. */
  let staged = 0;
  let handover = Promise.resolve();

  function tellAll(said: ComfyMessage | ComfyFrame): void {
    for (const listener of listeners) listener(said);
  }

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
    // It would wait here while other workers are free.
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

  /** A job that has not begun goes back to the server. */
  function assertUp(): void {
    if (!comfy.isUp()) throw new AttemptLost('returned', 'ComfyUI is not there.');
  }

  /** The id of the job, unless an earlier attempt has used it. That one is stopped: its worker has lost it. */
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
    // A worker that has ended in the middle of its jobs leaves them there.
    if (usedIds.size === 0) for (const { id } of await listPrompts(client)) usedIds.add(id);
    return description;
  }

  /** What fails is tried again when ComfyUI is up again. */
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
          clientId: socket.clientId,
          connectedId: socket.connectedId,
          listen(listener) {
            listeners.add(listener);
            return { [Symbol.dispose]: () => listeners.delete(listener) };
          },
          factsOf: comfy.factsOf,
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
          roots: comfy.roots,
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
    // ComfyUI keeps results by their inputs, not by user.
    forget() {},
    // Its checks are its own: it makes them when it is given the prompt.
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

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
