import type { RenderOptions, RenderRequest } from './render-request.ts';
import { type RenderThread, startThread } from './render-thread.ts';

interface Options {
  /** How many render at once. */
  readonly threads: number;
  /** How long a thread without work is kept, because the next may begin sooner in it. */
  readonly idleMs?: number;
}

export interface Renderers {
  /**
   * Renders in a thread, after those that came before. The files it names are complete when it resolves. Throws `RenderError` when the
   * request is at fault, the signal's reason when it was called off.
   */
  render(request: RenderRequest, options?: RenderOptions): Promise<void>;
  close(): Promise<void>;
}

/** Threads that render, started when there is work for them and ended when there is none for a while. */
export function createRenderers({ threads, idleMs = 60_000 }: Options): Renderers {
  const idle: { readonly thread: RenderThread; readonly ending: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const alive = new Set<RenderThread>();
  let isClosed = false;
  let busy = 0;

  async function take(): Promise<RenderThread> {
    if (busy >= threads) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    const kept = idle.pop();
    if (kept) {
      clearTimeout(kept.ending);
      return kept.thread;
    }
    const thread = startThread(() => alive.delete(thread));
    alive.add(thread);
    return thread;
  }

  function free(thread: RenderThread): void {
    if (alive.has(thread)) {
      const ending = setTimeout(() => {
        idle.splice(
          idle.findIndex((each) => each.thread === thread),
          1,
        );
        void thread.end();
      }, idleMs);
      ending.unref();
      idle.push({ thread, ending });
    }
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  return {
    async render(request, options = {}) {
      if (isClosed) throw new Error('The renderers are closed.');
      options.signal?.throwIfAborted();
      const thread = await take();
      try {
        options.signal?.throwIfAborted();
        await thread.render(request, options);
      } finally {
        free(thread);
      }
    },
    async close() {
      isClosed = true;
      for (const { ending } of idle) clearTimeout(ending);
      await Promise.all([...alive].map(async (thread) => await thread.end()));
    },
  };
}
