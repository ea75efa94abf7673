import type { Output } from './create-output.ts';

const SLOW_MS = 5000;
/** Fewer failures usually pass within a second or two. */
const MIN_FAILURES = 3;

/** `fetch` that shows a note when a response is slow. Streamed uploads show their own progress. */
export function fetchWithNotice({ note }: Pick<Output, 'note'>): typeof globalThis.fetch {
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
      if (failures === MIN_FAILURES) note(`${origin} does not answer. Trying again …`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
