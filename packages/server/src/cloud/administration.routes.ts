import { QueueHistory, StorageReport } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import type { Db } from '../platform/db/database.ts';
import { requireAdmin } from '../platform/http/actor.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { listStorage, sumStorage } from './use.repo.ts';

interface Parts {
  readonly db: Db;
  readonly queueHistory: () => QueueHistory;
  /** What each user may have. */
  readonly storageBytes: number;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly email: string }[]>;
}

const MAX_USERS = 100;

/** How the queue and the storage of all users stand. */
export const administrationRoutes: Routes<Parts> =
  ({ db, queueHistory, storageBytes, findPeople }) =>
  async (app) => {
    const route = createRouteDefiner(app, { tag: 'administration' });
    route('GET', '/admin/queue/history', {
      operation: 'admin.queue.history',
      summary: 'How the queue has been in the last hours',
      description:
        'For administrators; other users get 403. How many jobs waited and ran is that of all servers; what was begun and ended that of the server which answers. It is kept in memory, so it begins with the start of the server.',
      response: { 200: QueueHistory },
      handle: async ({ actor }) => {
        requireAdmin(actor);
        return queueHistory();
      },
    });

    route('GET', '/admin/storage', {
      operation: 'admin.storage',
      summary: 'What the files of all users take',
      description: 'For administrators; other users get 403. Packs and files for a day are not counted.',
      response: { 200: StorageReport },
      handle: async ({ actor }) => {
        requireAdmin(actor);
        const rows = await listStorage(db, MAX_USERS);
        const people = await findPeople(rows.map((row) => row.user_id));
        const emails = new Map(people.map(({ id, email }) => [id, email]));
        return {
          used_bytes: await sumStorage(db),
          quota_bytes: storageBytes,
          users: rows.map(({ user_id: id, files, bytes }) => ({
            user: { id, ...present({ email: emails.get(id) }) },
            used_bytes: bytes,
            files,
          })),
        };
      },
    });
  };
