import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

import { createSemaphore } from './mutex.ts';
import { orAborted } from './net/deadline.ts';

interface WorkerPoolOptions {
  /** A module that answers each message with one message. */
  readonly url: URL;
  readonly threads: number;
  readonly deadlineMs: number;
  /** How long a thread may wait for the next task before it ends. */
  readonly idleMs: number;
  readonly resourceLimits: ResourceLimits;
}

interface RunOptions {
  readonly transfer?: readonly Transferable[];
  readonly signal?: AbortSignal | undefined;
}

export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'late' }
  | { readonly kind: 'died'; readonly error: Error };

export interface WorkerPool<Task, Answer> {
  /** Rejects only when called off, by the signal or by `close`. */
  run(task: Task, options?: RunOptions): Promise<Outcome<Answer>>;
  close(): Promise<void>;
}

interface Idle {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

/**
 * Threads start with the first task, stay warm for the next, and never keep the process alive while idle. A
 * thread that is late or dies takes only its own task along: the next one gets a fresh thread.
 */
export function createWorkerPool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer> {
  const { url, threads, deadlineMs, idleMs, resourceLimits } = options;
  const places = createSemaphore(threads);
  const closing = new AbortController();
  const idle: Idle[] = [];
  const underWay = new Set<Promise<unknown>>();

  function takeWorker(): Worker {
    const rested = idle.pop();
    if (rested) {
      clearTimeout(rested.timer);
      rested.worker.ref();
      return rested.worker;
    }
    // Nothing of the process's environment is for a thread that reads strangers' files.
    const worker = new Worker(url, { resourceLimits, env: {}, execArgv: [] });
    worker.on('error', () => forget(worker));
    worker.on('exit', () => forget(worker));
    return worker;
  }

  function forget(worker: Worker): void {
    const place = idle.findIndex((one) => one.worker === worker);
    for (const { timer } of place === -1 ? [] : idle.splice(place, 1)) clearTimeout(timer);
  }

  function rest(worker: Worker): void {
    worker.unref();
    const end = () => {
      forget(worker);
      void worker.terminate();
    };
    idle.push({ worker, timer: setTimeout(end, idleMs).unref() });
  }

  async function ask(task: Task, transfer: readonly Transferable[], calledOff: AbortSignal) {
    const worker = takeWorker();
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    const onMessage = (answer: Answer) => resolve({ kind: 'answer', answer });
    const onError = (error: Error) => resolve({ kind: 'died', error });
    const onExit = (code: number) => onError(new Error(`The thread ended with code ${code}.`));
    const timer = setTimeout(() => resolve({ kind: 'late' }), deadlineMs);
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
    let isWell = false;
    try {
      worker.postMessage(task, transfer);
      const outcome = await orAborted(promise, calledOff);
      isWell = outcome.kind === 'answer';
      return outcome;
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isWell && !closing.signal.aborted) rest(worker);
      else await worker.terminate();
    }
  }

  async function runInTurn(task: Task, { transfer = [], signal }: RunOptions): Promise<Outcome<Answer>> {
    const calledOff = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    calledOff.throwIfAborted();
    const turn = places.acquire();
    try {
      await orAborted(turn, calledOff);
      return await ask(task, transfer, calledOff);
    } finally {
      // The place is given back when it comes, also by a caller who did not wait for it.
      void turn.then((release) => release());
    }
  }

  return {
    async run(task, runOptions = {}) {
      const outcome = runInTurn(task, runOptions);
      underWay.add(outcome);
      try {
        return await outcome;
      } finally {
        underWay.delete(outcome);
      }
    },

    async close() {
      closing.abort(new Error('The threads are closed.'));
      await Promise.allSettled(underWay);
      await Promise.all(
        idle.splice(0).map(async ({ worker, timer }) => {
          clearTimeout(timer);
          await worker.terminate();
        }),
      );
    },
  };
}
