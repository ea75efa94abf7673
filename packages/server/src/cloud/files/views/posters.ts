import { createRenderers, RenderError } from '@atelier/renderers';

import { AppError } from '../../../platform/errors/app-error.ts';

const DEADLINE_MS = 30_000;
/** The edge of the largest preview. */
const MAX_EDGE = 1024;

export type Posters = ReturnType<typeof createPosters>;

/** Renders first frames of videos in a separate process, so that a damaged file cannot crash the server. */
export function createPosters() {
  const renderers = createRenderers({ threads: 1 });
  return {
    async render(input: string, output: string): Promise<void> {
      try {
        const signal = AbortSignal.timeout(DEADLINE_MS);
        await renderers.render({ kind: 'poster', input, output, longestEdge: MAX_EDGE }, { signal });
      } catch (cause) {
        // Other errors come from a server that is stopping: a later request tries again.
        if (!(cause instanceof RenderError) && !isLate(cause)) throw cause;
        throw new AppError('request.invalid', 'No picture can be made of this video.', { cause });
      }
    },
    close: renderers.close,
  };
}

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
