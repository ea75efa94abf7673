import { createRenderers, RenderError } from '@atelier/renderers';

import { AppError } from '../../../platform/errors/app-error.ts';

const DEADLINE_MS = 30_000;
/** Of the largest preview. */
const MAX_EDGE = 1024;

export type Posters = ReturnType<typeof createPosters>;

/** First frames of videos, decoded in a process of their own: a damaged file must not end the server. */
export function createPosters() {
  const renderers = createRenderers({ threads: 1 });
  return {
    async render(input: string, output: string): Promise<void> {
      try {
        const signal = AbortSignal.timeout(DEADLINE_MS);
        await renderers.render({ kind: 'poster', input, output, longestEdge: MAX_EDGE }, { signal });
      } catch (cause) {
        // A server that is ending calls it off, too; the next one tries again.
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
