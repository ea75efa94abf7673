import type { Root } from 'hast';

/** Malicious texts can take the parser minutes; a normal one takes much less than this. */
const MAX_MS = 5000;

/** Parses in a worker thread, so that a malicious text cannot block the page. Rejects if parsing takes too long. */
export async function parseMarkdown(text: string, signal: AbortSignal): Promise<Root> {
  const worker = new Worker(new URL('./markdown.worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Root>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The text takes too long to parse.')), MAX_MS);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      worker.addEventListener('message', ({ data }: MessageEvent<Root>) => resolve(data));
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
      worker.postMessage(text);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
