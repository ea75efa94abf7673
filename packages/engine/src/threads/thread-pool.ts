import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

import type { FromThread, ToThread } from './answer-tasks.ts';

const CPU_LOOK_MS = 500;

export interface ThreadPoolOptions {
  /** A module that calls `answerTasks`. */
  readonly url: URL;
  readonly threads: number;
  /** How long a thread waits for the next task before it ends. */
  readonly idleMs: number;
  readonly deadlineMs?: number;
  /** Computing time that a task may take. Unlike a deadline it does not depend on how busy the machine is. */
  readonly cpuMs?: number;
  /** How long an aborted task may clean up before its thread is ended. */
  readonly graceMs?: number;
  readonly maxWaiting?: number;
  readonly resourceLimits?: ResourceLimits;
}

interface RunOptions {
  readonly transfer?: readonly Transferable[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export type ThreadOutcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'late' }
  | { readonly kind: 'died'; readonly error: Error };

export interface ThreadPool<Task, Answer> {
  /** Rejects when aborted by the signal or by `close`, and when too many tasks wait. */
  run(task: Task, options?: RunOptions): Promise<ThreadOutcome<Answer>>;
  close(): Promise<void>;
}

/**
 * Threads start with the first task, stay warm for the next, and never keep the process alive while idle. A thread that is late or dies
 * takes only its own task along: the next one gets a fresh thread.
 */
export function createThreadPool<Task, Answer>({
  url,
  threads,
  idleMs,
  deadlineMs,
  cpuMs,
  graceMs = 0,
  maxWaiting = 1000,
  resourceLimits = {},
}: ThreadPoolOptions): ThreadPool<Task, Answer> {
  const closing = new AbortController();
  const idle = new Map<Worker, NodeJS.Timeout>();
  const waiting = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  let free = threads;

  function takeThread(): Worker {
    const [rested] = idle.keys();
    if (rested) {
      forget(rested);
      rested.ref();
      return rested;
    }
    // Nothing of the process's environment is for a thread that reads strangers' files.
    const worker = new Worker(url, { resourceLimits, env: {}, execArgv: [] });
    return worker.on('error', () => forget(worker)).on('exit', () => forget(worker));
  }

  function forget(worker: Worker): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  function rest(worker: Worker): void {
    worker.unref();
    const end = () => {
      forget(worker);
      void worker.terminate();
    };
    idle.set(worker, setTimeout(end, idleMs).unref());
  }

  async function takePlace(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.size >= maxWaiting) throw new Error('Too many tasks wait for a thread.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      if (waiting.delete(resolve)) reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  function freePlace(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else if (waiting.delete(next)) next();
  }

  async function ask(
    task: Task,
    { transfer = [], onProgress }: RunOptions,
    signal: AbortSignal,
  ): Promise<ThreadOutcome<Answer>> {
    signal.throwIfAborted();
    const isWarm = idle.size > 0;
    const worker = takeThread();
    const send = (message: ToThread<Task>) => worker.postMessage(message, 'task' in message ? transfer : []);
    const { promise, resolve } = Promise.withResolvers<ThreadOutcome<Answer>>();
    const giveUpAfter = (ms: number) => setTimeout(() => resolve({ kind: 'late' }), ms);
    let timer = deadlineMs === undefined ? undefined : giveUpAfter(deadlineMs);
    // A thread that is just starting never answers.
    const before = isWarm ? worker.cpuUsage() : undefined;
    const checkCpu = async () => {
      const { user, system } = await worker.cpuUsage(await before);
      if (cpuMs !== undefined && user + system > cpuMs * 1000) resolve({ kind: 'late' });
    };
    // A thread that has ended rejects, and reports its end by itself.
    const look = () => void checkCpu().catch(() => {});
    const cpuTimer = cpuMs === undefined ? undefined : setInterval(look, Math.min(cpuMs, CPU_LOOK_MS));
    const onMessage = (message: FromThread<Answer>) => {
      if ('progress' in message) onProgress?.(message.progress);
      else resolve({ kind: 'answer', answer: message.answer });
    };
    const onError = (error: Error) => resolve({ kind: 'died', error });
    const onExit = (code: number) => onError(new Error(`The thread ended with code ${code}.`));
    const onAbort = () => {
      if (graceMs === 0) return resolve({ kind: 'late' });
      clearTimeout(timer);
      timer = giveUpAfter(graceMs);
      send({ abort: true });
    };
    worker.on('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    let isWell = false;
    try {
      send({ task });
      const outcome = await promise;
      isWell = outcome.kind === 'answer';
      signal.throwIfAborted();
      return outcome;
    } finally {
      clearTimeout(timer);
      clearInterval(cpuTimer);
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isWell && !closing.signal.aborted) rest(worker);
      else await worker.terminate();
    }
  }

  async function runInTurn(task: Task, options: RunOptions): Promise<ThreadOutcome<Answer>> {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    signal.throwIfAborted();
    await takePlace(signal);
    try {
      return await ask(task, options, signal);
    } finally {
      freePlace();
    }
  }

  return {
    async run(task, options = {}) {
      const outcome = runInTurn(task, options);
      underWay.add(outcome);
      return await outcome.finally(() => underWay.delete(outcome));
    },

    async close() {
      closing.abort(new Error('The threads are closed.'));
      await Promise.allSettled(underWay);
      await Promise.all([...idle.keys()].map(async (worker) => await worker.terminate()));
    },
  };
}
