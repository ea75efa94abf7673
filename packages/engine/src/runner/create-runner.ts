import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EngineEvent } from '../engine-events.ts';
import type { Outcome } from '../execute/run-graph.ts';
import { createJobWatch, type JobWatch } from './job-watch.ts';
import type { PackSources } from './load-packs.ts';
import type { FromThread, RunnerJob, ThreadOptions, ToThread } from './runner-messages.ts';

export interface RunnerOptions {
  readonly packs: PackSources;
  /** What the arrays of a job and the cache may take together. */
  readonly memoryBytes?: number;
  /** What results of earlier jobs may take of that. */
  readonly cacheBytes?: number;
  /** What the thread's objects may take, arrays not counted. */
  readonly heapMb?: number;
  /** How long a job may run. */
  readonly jobMs?: number;
  /** The environment of the thread. Nodes see nothing of the process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  onEvent?(event: EngineEvent): void;
}

/**
 * Runs jobs one after another in a thread of its own, so that the caller's event loop never waits on pixels. A job that
 * does not stop when it is told to, or that takes too much, ends with its thread; the next one gets a fresh thread.
 */
export interface Runner {
  /** Never rejects for what a graph or a node does. Jobs that are given meanwhile wait. */
  run(job: RunnerJob, options?: RunJobOptions): Promise<Outcome>;
  /** Forgets the results of earlier jobs. */
  forget(): void;
  close(): Promise<void>;
}

const MB = 2 ** 20;
/** A job that was told to stop has so long before its thread is ended: a cancel takes effect within 100 ms. */
const GRACE_MS = 60;
const MEMORY_CHECK_MS = 250;
/** How long a thread that is not needed any more may take to leave its node. */
const RETIRE_MS = 2000;

export function createRunner(options: RunnerOptions): Runner {
  const memoryBytes = options.memoryBytes ?? 2048 * MB;
  const data: ThreadOptions = {
    packs: options.packs,
    memoryBytes,
    cacheBytes: options.cacheBytes ?? Math.min(256 * MB, memoryBytes / 4),
    spareBytes: Math.min(256 * MB, memoryBytes / 4),
  };
  const limits = { memoryBytes, jobMs: options.jobMs ?? 30 * 60_000 };
  let thread = startThread(data, options);
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function runNow(job: RunnerJob, { signal, onEvent }: RunJobOptions): Promise<Outcome> {
    if (closed) throw new Error('The runner is closed.');
    if (thread.ended()) thread = startThread(data, options);
    const own = thread;
    const watch = createJobWatch(job, onEvent ?? (() => {}));
    if (signal?.aborted) return watch.interrupted();
    // Only a thread with a job keeps the process alive.
    own.worker.ref();
    await own.ready;
    const outcome = await runInThread(own, job, { watch, signal, limits });
    // A fresh thread takes a while to load its packs, so it starts before the next job asks.
    if (own.ended() && !closed) thread = startThread(data, options);
    return outcome;
  }

  return {
    async run(job, runOptions = {}) {
      const result = queue.then(async () => await runNow(job, runOptions));
      queue = result.catch(() => {});
      return await result;
    },
    forget() {
      thread.post({ kind: 'forget' });
    },
    async close() {
      closed = true;
      if (thread.ended()) return;
      const left = once(thread.worker, 'exit');
      thread.worker.ref();
      thread.retire();
      await left;
    },
  };
}

interface Thread {
  readonly ready: Promise<void>;
  readonly worker: Worker;
  post(message: ToThread): void;
  ended(): boolean;
  /** Lets it end by itself as soon as its node is done, and ends it when that takes too long. */
  retire(): void;
  end(): Promise<void>;
}

function startThread(data: ThreadOptions, { heapMb = 512, env = {} }: RunnerOptions): Thread {
  const worker = new Worker(new URL('./runner.worker.ts', import.meta.url), {
    workerData: data,
    env: { ...env },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let over = false;
  // Late errors of a thread that is being ended are nobody's any more.
  worker.on('error', () => {});
  worker.once('exit', () => {
    over = true;
  });
  const ready = new Promise<void>((resolve, reject) => {
    const first = (message: FromThread): void => {
      if (message.kind === 'broken') reject(new Error(message.message));
      else resolve();
    };
    worker.once('message', first);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread ended before it was ready.')));
  });
  // Who runs the first job hears of it; a runner without jobs must not bring the process down.
  ready.catch(() => {});
  worker.unref();
  return {
    ready,
    worker,
    post: (message) => worker.postMessage(message, []),
    ended: () => over,
    retire() {
      over = true;
      worker.postMessage({ kind: 'exit' } satisfies ToThread, []);
      // A native library that is called at the moment its thread is ended may take the process along.
      setTimeout(() => void worker.terminate(), RETIRE_MS).unref();
    },
    async end() {
      over = true;
      await worker.terminate();
    },
  };
}

interface InThread {
  readonly watch: JobWatch;
  readonly signal: AbortSignal | undefined;
  readonly limits: { readonly memoryBytes: number; readonly jobMs: number };
}

async function runInThread(
  thread: Thread,
  job: RunnerJob,
  { watch, signal, limits }: InThread,
): Promise<Outcome> {
  const { worker } = thread;
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timers: NodeJS.Timeout[] = [];

  /** Asks the job to stop, and ends its thread when it does not. */
  function stop(outcome: () => Outcome): void {
    Atomics.store(cancelled, 0, 1);
    thread.post({ kind: 'cancel' });
    timers.push(
      setTimeout(() => {
        resolve(outcome());
        thread.retire();
      }, GRACE_MS),
    );
  }
  const onAbort = (): void => stop(() => watch.interrupted());
  const onMessage = (message: FromThread): void => {
    if (message.kind === 'event') watch.event(message.event);
    else if (message.kind === 'done') resolve(watch.done(message.outcome));
  };
  const onError = (error: Error): void => resolve(watch.died(error));
  const onExit = (): void => resolve(watch.died(new Error('The thread of the job ended.')));

  worker.on('message', onMessage);
  worker.on('error', onError);
  worker.on('exit', onExit);
  signal?.addEventListener('abort', onAbort, { once: true });
  timers.push(
    setTimeout(() => {
      watch.overTime(limits.jobMs);
      stop(() => watch.interrupted());
    }, limits.jobMs),
    setInterval(
      () =>
        void checkMemory(worker, limits.memoryBytes, () => {
          resolve(watch.overMemory(limits.memoryBytes));
          void thread.end();
        }),
      MEMORY_CHECK_MS,
    ),
  );
  thread.post({ kind: 'run', job, cancelled });
  if (signal?.aborted) onAbort();
  try {
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    worker.off('message', onMessage);
    worker.off('error', onError);
    worker.off('exit', onExit);
    worker.unref();
  }
}

/** Catches nodes that take arrays past the bound without asking the arena; V8 answers even while the thread computes. */
async function checkMemory(worker: Worker, memoryBytes: number, onOver: () => void): Promise<void> {
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  if (statistics && statistics.external_memory > memoryBytes * 1.25) onOver();
}
