import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

const SETTLE_MS = 200;

/** Resolves when one of these files is written or replaced. Rejects when the signal aborts. */
export async function waitForChange(paths: readonly string[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stop = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      signal.addEventListener('abort', () => reject(signal.reason as Error), {
        once: true,
        signal: stop.signal,
      });
      for (const path of paths) {
        // Watches the folder, because editors replace a file by a new one.
        watch(dirname(path), { signal: stop.signal }, (_event, name) => {
          if (name !== basename(path)) return;
          clearTimeout(timer);
          timer = setTimeout(resolve, SETTLE_MS);
        }).on('error', reject);
      }
    });
  } finally {
    stop.abort();
  }
}
