import { createThreadPool } from '@atelier/engine/threads';

import type { RenderAnswer } from './render.worker.ts';
import { RenderError, type RenderOptions, type RenderRequest } from './render-request.ts';

const IDLE_MS = 60_000;
/** A cancelled rendering removes its files. After this time its process is killed. */
const GRACE_MS = 5000;

export type Renderers = ReturnType<typeof createRenderers>;

/** `threads`: how many requests render at once. */
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
     * Renders in another process, in the order of calls. The output files are complete when it resolves. Throws `RenderError` when the
     * request is at fault, and the reason of the signal when it was aborted.
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
