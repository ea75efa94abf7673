import type { Db } from '../../platform/db/database.ts';
import { commaSeparated, type Pieces } from '../../platform/http/send-json.ts';
import type { CancelJobs } from '../cancel-jobs.ts';
import { promptJson } from './job-json.ts';
import { isJobId, OPEN } from './job-states.ts';
import * as repo from './jobs.repo.ts';

export interface HostQueueParts {
  readonly db: Db;
  readonly cancel: CancelJobs;
  /** Clears the cached results of this user's jobs. */
  readonly free: (userId: string, flags: { readonly freeMemory: boolean }) => void | Promise<void>;
}

export type HostQueueService = ReturnType<typeof createHostQueueService>;

/** More than a user can have waiting and running. */
const MAX_SHOWN = 1000;

/** The queue in the format of ComfyUI: one for each user. */
export function createHostQueueService({ db, cancel, free }: HostQueueParts) {
  /** Jobs that have ended or been removed meanwhile are not an error here. */
  const cancelKnown = async (userId: string, ids: readonly string[]): Promise<readonly string[]> =>
    ids.length === 0 ? [] : ((await cancel(userId, ids)) ?? []);

  async function* listOpen(userId: string): Pieces {
    const { running, pending } = await repo.listOpen(db, userId, MAX_SHOWN);
    // Jobs that start or end meanwhile stay in the list where they were found.
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

    /** Clients poll this, and the queue is usually empty. */
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

    /** Cancels the given job if it runs; without an id, all running jobs of the user. */
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
