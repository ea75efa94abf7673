import { createThreadPool } from '@atelier/engine/threads';

/** Commits between two checks of the size of the journal. */
const LOOK_EVERY = 64;
/** The journal is copied from this many pages on (64 MB). Later is better: pages that change often are copied only once. */
const COPIED_PAGES = 8000;
const IDLE_MS = 10 * 60_000;

interface Parts {
  readonly file: string;
  readonly journalPages: () => number;
  readonly whileNobodyWrites: (work: () => Promise<void>) => Promise<void>;
  readonly copiedPages?: number;
}

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Copies the journal (WAL) into the file on its own thread, because the event loop must not wait for the disk. SQLite restarts the
 * journal only when it is copied completely, so most of it is copied while others write and the rest while they wait. If the
 * thread fails, SQLite copies it later on the event loop.
 */
export function createCheckpoints(parts: Parts) {
  const { file, journalPages, whileNobodyWrites, copiedPages = COPIED_PAGES } = parts;
  let commits = 0;
  let copying: Promise<void> | undefined;
  let isClosed = false;
  const url = new URL('./checkpoint.worker.ts', import.meta.url);
  const pool = createThreadPool<string, boolean>({ url, threads: 1, idleMs: IDLE_MS });

  /** Whether everything is copied; false when the thread has failed. */
  async function copy(): Promise<boolean> {
    if (isClosed) return false;
    const outcome = await pool.run(file).catch(() => undefined);
    return outcome?.kind === 'answer' && outcome.answer;
  }

  async function copyAll(): Promise<void> {
    if (await copy()) return;
    await whileNobodyWrites(async () => void (await copy()));
  }

  return {
    /** Called after every commit. */
    committed(): void {
      commits += 1;
      if (commits < LOOK_EVERY || copying || isClosed) return;
      commits = 0;
      if (journalPages() < copiedPages) return;
      copying = copyAll().finally(() => {
        copying = undefined;
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      await pool.close();
      await copying;
    },
  };
}
