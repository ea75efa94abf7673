import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadOptions, ToThread } from './runner-messages.ts';

/** A worker thread and how it stands. */
export interface RunnerThread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  post(message: ToThread): void;
  /** No job may be given to it any more. */
  isOver(): boolean;
  /** How many jobs it was given. */
  jobs: number;
  /** Lets it end by itself as soon as its node is done, and ends it when that takes too long. */
  retire(): void;
  /** Ends it now. */
  end(): Promise<void>;
}

/** How long a thread that is not needed any more may take to leave its node. */
const RETIRE_MS = 2000;

export interface StartOptions {
  readonly heapMb: number;
  readonly env: Readonly<Record<string, string>>;
}

export function startThread(data: ThreadOptions, { heapMb, env }: StartOptions): RunnerThread {
  const worker = new Worker(new URL('./runner.worker.ts', import.meta.url), {
    workerData: data,
    env: { ...env, ...compileCache() },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let over = false;
  const giveUp = (): void => {
    over = true;
  };
  worker.on('error', giveUp);
  worker.on('exit', giveUp);
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', (message: FromThread) => {
      if (message.kind !== 'broken') {
        resolve();
        return;
      }
      giveUp();
      void worker.terminate();
      reject(new Error(message.message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread ended before it was ready.')));
  });
  // Who runs the first job hears of it; a runner without jobs must not bring the process down.
  ready.catch(() => {});
  // Only a thread with a job keeps the process alive.
  worker.unref();

  function retire(): void {
    over = true;
    worker.postMessage({ kind: 'exit' } satisfies ToThread, []);
    // A native library that is called at the moment its thread is ended may take the process along.
    setTimeout(() => void worker.terminate(), RETIRE_MS).unref();
  }
  // What failed between two jobs may have left anything behind.
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'fault' && !over) retire();
  });
  return {
    worker,
    ready,
    jobs: 0,
    post: (message) => worker.postMessage(message, []),
    isOver: () => over,
    retire,
    async end() {
      over = true;
      await worker.terminate();
    },
  };
}

/** Where this process keeps compiled modules, for the thread too: loading the nodes takes less than half the time with it. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  // The folder that Node names is the one of its version, within the one that it takes.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
