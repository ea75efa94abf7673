import { createThreadPool } from '@atelier/engine/threads';

import type { RenderAnswer } from './render.worker.ts';
import { RenderError, type RenderOptions, type RenderRequest } from './render-request.ts';

const IDLE_MS = 60_000;
/** A canceled rendering removes its files; one that does not end by itself for so long is ended with its process. */
const GRACE_MS = 5000;

export type Renderers = ReturnType<typeof createRenderers>;

/** `threads` is how many render at once. */
export function createRenderers({ threads }: { readonly threads: number }) {
  const url = new URL('./render.worker.ts', import.meta.url);
  const pool = createThreadPool<RenderRequest, RenderAnswer>({
    url,
    inProcesses: true,
    threads,
    idleMs: IDLE_MS,
    graceMs: GRACE_MS,
  });
  return {
    /**
     * Renders in a process of its own, after those that came before. The files it names are complete when it resolves. Throws `RenderError` when
     * the request is at fault, the signal's reason when it was called off.
     */
    async render(request: RenderRequest, options?: RenderOptions): Promise<void> {
      const outcome = await pool.run(request, options);
      if (outcome.kind === 'late') throw new Error('The rendering did not end.');
      if (outcome.kind === 'died') throw outcome.error;
      if (outcome.answer) throw new RenderError(outcome.answer.refused);
    },
    close: async () => await pool.close(),
  };
}
