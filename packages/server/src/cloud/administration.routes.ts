import { QueueHistory, StorageReport } from '@atelier/contracts';

import { requireAdmin } from '../platform/http/actor.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';

interface Parts {
  readonly queueHistory: () => QueueHistory;
  readonly storageReport: () => Promise<StorageReport>;
}

/** The queue and the storage of all users. */
export const administrationRoutes: Routes<Parts> =
  ({ queueHistory, storageReport }) =>
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
        return await storageReport();
      },
    });
  };
