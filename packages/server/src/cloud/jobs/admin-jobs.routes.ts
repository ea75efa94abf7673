import { AdminJobPage, AdminJobQuery, JobCancelled, JobParams } from '@atelier/contracts';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { AdminJobsService } from './admin-jobs.service.ts';

const routeDefaults = { tag: 'administration', parameters: JobParams.properties };

/** Jobs of all users. The service checks the role, because 404 comes before 403. */
export const adminJobsRoutes: Routes<{ readonly jobs: AdminJobsService }> =
  ({ jobs }) =>
  async (app) => {
    const route = createRouteDefiner(app, routeDefaults);
    route('GET', '/admin/jobs', {
      operation: 'admin.jobs.list',
      summary: 'Jobs of all users, newest first',
      description:
        'For administrators; other users get 403. Each job has its owner, how often it was started and, after a failure, the error message. Pass `next_before` as `before` to get the next page; a page without it is the last.',
      query: AdminJobQuery.properties,
      response: { 200: AdminJobPage },
      handle: async ({ actor, query }) => await jobs.list(actor, query),
    });

    route('POST', '/admin/jobs/:job_id/cancel', {
      operation: 'admin.jobs.cancel',
      failures: [404],
      summary: 'Cancel a job of any user, whether it waits or runs',
      description:
        'For administrators; other users get 403. `cancelled` is `false` when the job had already ended. An unknown id gets 404.',
      response: { 200: JobCancelled },
      handle: async ({ actor, params }) => ({ cancelled: await jobs.cancel(actor, params.job_id) }),
    });
  };
