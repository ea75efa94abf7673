import { setImmediate } from 'node:timers/promises';
import type { RenderOptions } from './render-request.ts';

/** Called between two steps of a rendering. It yields, because a cancellation is a message to this thread. */
export function progressReporter({ signal, onProgress }: RenderOptions): (done: number) => Promise<void> {
  return async (done) => {
    await setImmediate();
    signal?.throwIfAborted();
    onProgress?.(done);
  };
}
