import type { Output } from './create-output.ts';

const SLOW_MS = 5000;
/** Fewer are over within a second or two. */
const TOLD_FAILURES = 3;

/** `fetch` that tells people when an answer takes long. A body that is streamed has its own progress. */
export function fetchPatiently({ note }: Pick<Output, 'note'>): typeof globalThis.fetch {
  let failures = 0;
  return async (input, init) => {
    const isStream = init?.body instanceof ReadableStream;
    const { origin } = new URL(input instanceof Request ? input.url : input);
    const timer = isStream ? undefined : setTimeout(() => note(`Waiting for ${origin} …`), SLOW_MS);
    try {
      const response = await fetch(input, init);
      failures = 0;
      return response;
    } catch (error) {
      failures += 1;
      if (failures === TOLD_FAILURES) note(`${origin} does not answer. Trying again …`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
