import type { Db } from '../platform/db/database.ts';
import type { CancelJobs } from './cancel-jobs.ts';
import type { FilesOfUsers } from './files/create-user-files.ts';
import { OPEN } from './jobs/job-states.ts';
import { listIds } from './jobs/jobs.repo.ts';
import { deleteJobsOf, deleteStorageUse, listSomeAssets } from './user-data.repo.ts';

interface Parts {
  readonly db: Db;
  readonly cancel: CancelJobs;
  readonly files: Pick<FilesOfUsers, 'remove' | 'places'>;
}

export function createUserData({ db, cancel, files }: Parts) {
  /** Repeats until no open job is left: one may be accepted meanwhile. */
  async function stop(userId: string): Promise<void> {
    for (;;) {
      const ids = await listIds(db, userId, OPEN);
      if (ids.length === 0) return;
      await cancel(userId, ids);
    }
  }

  return {
    stop,
    async delete(userId: string): Promise<void> {
      await stop(userId);
      await deleteJobsOf(db, userId);
      for (;;) {
        const ids = await listSomeAssets(db, userId);
        if (ids.length === 0) break;
        for (const id of ids) await files.remove(userId, id);
      }
      await deleteStorageUse(db, userId);
      await files.places.clear(userId);
    },
  };
}
