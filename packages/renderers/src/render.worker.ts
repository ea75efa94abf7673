import { parentPort } from 'node:worker_threads';

import { RenderError, type RenderOptions, type RenderRequest } from './render-request.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** Progress is told no oftener. */
const TELL_MS = 100;

const port = parentPort;
if (!port) throw new Error('render.worker.ts runs in a thread.');
const tell = (message: FromThread): void => port.postMessage(message);
let ending: AbortController | undefined;

port.on('message', (message: ToThread) => {
  if (message.type === 'abort') ending?.abort(new Error('The work was called off.'));
  else void work(message.request);
});

async function work(request: RenderRequest): Promise<void> {
  ending = new AbortController();
  try {
    await render(request, { signal: ending.signal, onProgress: thinned() });
    tell({ type: 'done' });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    tell({ type: 'failed', isInput: error instanceof RenderError, message, stack });
  } finally {
    ending = undefined;
  }
}

/** Each renderer is loaded when it is first needed. */
async function render(request: RenderRequest, options: RenderOptions): Promise<void> {
  switch (request.kind) {
    case 'skin':
      return await (await import('./skin/render-skin.ts')).renderSkin(request, options);
    case 'relight':
      return await (await import('./relight/render-relight.ts')).renderRelight(request, options);
    case 'video':
      return await (await import('./video/render-video.ts')).renderVideo(request, options);
  }
}

function thinned(): (done: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (done) => {
    const now = performance.now();
    if (now - last < TELL_MS) return;
    last = now;
    tell({ type: 'progress', done });
  };
}
