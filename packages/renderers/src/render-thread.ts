import { Worker } from 'node:worker_threads';

import { RenderError, type RenderOptions, type RenderRequest } from './render-request.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** One thread, which renders one thing at a time. */
export interface RenderThread {
  render(request: RenderRequest, options: RenderOptions): Promise<void>;
  end(): Promise<void>;
}

/** Work that does not end by itself so long after it was called off is ended with its thread. */
const GRACE_MS = 5000;

interface Work extends PromiseWithResolvers<void> {
  readonly onProgress: ((done: number) => void) | undefined;
}

export function startThread(onGone: () => void): RenderThread {
  const worker = new Worker(new URL('render.worker.ts', import.meta.url));
  let current: Work | undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (message: ToThread): void => worker.postMessage(message);
  const settle = (error?: Error): void => {
    const work = current;
    current = undefined;
    if (error) work?.reject(error);
    else work?.resolve();
  };

  worker.on('message', (message: FromThread) => {
    if (message.type === 'progress') current?.onProgress?.(message.done);
    else if (message.type === 'done') settle();
    else settle(toError(message));
  });
  worker.on('error', (error) => settle(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => {
    onGone();
    settle(new Error('The thread that rendered has ended.'));
  });
  worker.unref();

  return {
    async render(request, { signal, onProgress }) {
      const work: Work = { ...Promise.withResolvers<void>(), onProgress };
      current = work;
      let grace: NodeJS.Timeout | undefined;
      const callOff = (): void => {
        send({ type: 'abort' });
        grace = setTimeout(() => void worker.terminate(), GRACE_MS);
      };
      signal?.addEventListener('abort', callOff, { once: true });
      worker.ref();
      send({ type: 'render', request });
      try {
        await work.promise;
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        // Without work it keeps no process from ending.
        worker.unref();
        clearTimeout(grace);
        signal?.removeEventListener('abort', callOff);
      }
    },
    async end() {
      await worker.terminate();
    },
  };
}

/** As it was thrown in the thread. */
function toError({ isInput, message, stack }: Extract<FromThread, { type: 'failed' }>): Error {
  const error = isInput ? new RenderError(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
