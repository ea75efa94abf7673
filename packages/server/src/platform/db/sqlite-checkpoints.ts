import { createThreadPool } from '@atelier/engine/threads';

/** So many commits are made between two looks at the size of the journal. */
const LOOK_EVERY = 64;
/** From so many pages on (64 MB of 8 KiB each) the journal is copied. Not sooner: pages that change all the time are then copied once for many commits. */
const COPIED_PAGES = 8000;
const IDLE_MS = 10 * 60_000;

interface Parts {
  readonly file: string;
  /** How many pages the journal has. */
  readonly journalPages: () => number;
  readonly whileNobodyWrites: (work: () => Promise<void>) => Promise<void>;
  readonly copiedPages?: number;
}

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Copies the journal (WAL) into the file on a thread of its own: it waits for the disk, and the event loop must not. The journal begins anew
 * only when all of it is copied, which never happens while others write on; so the bulk is copied beside the writers and the rest while they
 * wait. Should the thread fail, SQLite itself does it, later and on the event loop.
 */
export function createCheckpoints(parts: Parts) {
  const { file, journalPages, whileNobodyWrites, copiedPages = COPIED_PAGES } = parts;
  let commits = 0;
  let copying: Promise<void> | undefined;
  let isClosed = false;
  const url = new URL('./checkpoint.worker.ts', import.meta.url);
  const pool = createThreadPool<string, boolean>({ url, threads: 1, idleMs: IDLE_MS });

  /** Whether all of it is copied; no when the thread has failed. */
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
