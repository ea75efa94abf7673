import { answerTasks, type TaskOptions } from '@atelier/engine/threads';

import { RenderError, type RenderOptions, type RenderRequest } from './render-request.ts';

/** `undefined` for success. */
export type RenderAnswer = { readonly refused: string } | undefined;

const PROGRESS_MS = 100;

answerTasks<RenderRequest, RenderAnswer>(async (request, { signal, onProgress }) => {
  try {
    await render(request, { signal, onProgress: thinned(onProgress) });
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return { refused: error.message };
    throw error;
  }
});

/** Each renderer is loaded when it is first needed. */
async function render(request: RenderRequest, options: RenderOptions): Promise<void> {
  switch (request.kind) {
    case 'skin':
      return await (await import('./skin/render-skin.ts')).renderSkin(request, options);
    case 'relight':
      return await (await import('./relight/render-relight.ts')).renderRelight(request, options);
    case 'video':
      return await (await import('./video/render-video.ts')).renderVideo(request, options);
    case 'poster':
      return await (await import('./poster/render-poster.ts')).renderPoster(request, options);
  }
}

function thinned(onProgress: TaskOptions['onProgress']): TaskOptions['onProgress'] {
  let last = Number.NEGATIVE_INFINITY;
  return (done) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    onProgress(done);
  };
}
