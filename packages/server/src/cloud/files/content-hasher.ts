import { Worker } from 'node:worker_threads';

import { createSemaphore } from '../../platform/mutex.ts';
import type { HashAnswer, HashTask } from './blake3.worker.ts';

export interface ContentHasher {
  /** BLAKE3 of a file on this machine, in hex. */
  blake3(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Each has a piece of a file in memory. */
const AT_ONCE = 4;
const DEADLINE_MS = 10 * 60_000;

interface Waiting {
  readonly resolve: (hash: string) => void;
  readonly reject: (error: Error) => void;
}

/** One thread, started with the first file; a thread that dies takes the files it was at along, and the next gets a new one. */
export function createContentHasher({ deadlineMs = DEADLINE_MS } = {}): ContentHasher {
  const places = createSemaphore(AT_ONCE);
  let thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined;
  let lastId = 0;

  function start() {
    const worker = new Worker(new URL('./blake3.worker.ts', import.meta.url), { env: {}, execArgv: [] });
    const waiting = new Map<number, Waiting>();
    const started = { worker, waiting };
    const fail = (error: Error) => {
      if (thread === started) thread = undefined;
      for (const each of waiting.values()) each.reject(error);
      waiting.clear();
    };
    worker.on('message', (answer: HashAnswer) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) worker.unref();
      if ('hash' in answer) asker?.resolve(answer.hash);
      else asker?.reject(answer.error);
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`The thread that hashes ended with code ${code}.`)));
    return started;
  }

  async function ask(path: string): Promise<string> {
    thread ??= start();
    const { worker, waiting } = thread;
    const task: HashTask = { id: (lastId += 1), path };
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    waiting.set(task.id, { resolve, reject });
    worker.ref();
    const timer = setTimeout(() => void worker.terminate(), deadlineMs);
    try {
      worker.postMessage(task, []);
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async blake3(path) {
      const release = await places.acquire();
      try {
        return await ask(path);
      } finally {
        release();
      }
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}
