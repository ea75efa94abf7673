import type { Db } from '../../platform/db/database.ts';
import { commaSeparated, type Pieces } from '../../platform/http/send-json.ts';
import type { CancelJobs } from '../cancel-jobs.ts';
import { promptJson } from './job-json.ts';
import { isJobId, OPEN } from './job-states.ts';
import * as repo from './jobs.repo.ts';

export interface HostQueueParts {
  readonly db: Db;
  readonly cancel: CancelJobs;
  /** Forgets what is kept from the user's jobs to make the next ones faster. Nobody else's. */
  readonly free: (userId: string, flags: { readonly freeMemory: boolean }) => void | Promise<void>;
}

export type HostQueueService = ReturnType<typeof createHostQueueService>;

/** More than anybody has waiting or running. */
const MAX_SHOWN = 1000;

/** The queue as the host application knows it: one for each user. */
export function createHostQueueService({ db, cancel, free }: HostQueueParts) {
  /** Those that have ended or gone in the meantime do not count as a failure here. */
  const cancelKnown = async (userId: string, ids: readonly string[]): Promise<readonly string[]> =>
    ids.length === 0 ? [] : ((await cancel(userId, ids)) ?? []);

  async function* listOpen(userId: string): Pieces {
    const { running, pending } = await repo.listOpen(db, userId, MAX_SHOWN);
    // What begins or ends while this is made is where it was when it was looked up.
    const render = async (seqs: readonly number[]) =>
      (await repo.readWholeJobs(db, userId, seqs)).map(promptJson);
    yield '{"queue_running":[';
    yield* commaSeparated(running, render);
    yield '],"queue_pending":[';
    yield* commaSeparated(pending, render);
    yield ']}';
  }

  return {
    remaining: async (userId: string) => await repo.countRemaining(db, userId),

    /** Clients ask for it again and again, most often for nothing. */
    async read(userId: string): Promise<string | Pieces> {
      if ((await repo.countRemaining(db, userId)) === 0) return '{"queue_running":[],"queue_pending":[]}';
      return listOpen(userId);
    },

    async change(
      userId: string,
      { clear, ids }: { readonly clear: boolean; readonly ids: readonly string[] },
    ): Promise<{ deleted: string[]; cleared: boolean }> {
      const named = await repo.pickIds(db, userId, ids.filter(isJobId), OPEN);
      const deleted = await cancelKnown(userId, named);
      if (clear) await cancelKnown(userId, await repo.listIds(db, userId, ['pending']));
      return { deleted: [...deleted], cleared: clear };
    },

    /** Cancels the named job if it runs; without a name, everything of the user that runs. */
    async interrupt(userId: string, id?: string): Promise<void> {
      const running = ['in_progress'] as const;
      const ids =
        id === undefined
          ? await repo.listIds(db, userId, running)
          : await repo.pickIds(db, userId, [id].filter(isJobId), running);
      await cancelKnown(userId, ids);
    },

    free,
  };
}
