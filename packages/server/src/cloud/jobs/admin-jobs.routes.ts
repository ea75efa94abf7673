import { AdminJobPage, AdminJobQuery, JobCancelled, JobParams } from '@atelier/contracts';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { AdminJobsService } from './admin-jobs.service.ts';

const tags = ['administration'];

/** Jobs of all users. The service asks for the role, because 404 comes before 403. */
export const adminJobsRoutes: Routes<{ readonly jobs: AdminJobsService }> =
  ({ jobs }) =>
  async (app) => {
    app.get(
      '/admin/jobs',
      {
        config: { operation: 'admin.jobs.list', access: 'user', session: true },
        schema: {
          summary: 'Jobs of all users, newest first',
          description:
            'For administrators; other users get 403. Each job has its owner, how often it was started and, ' +
            'after a failure, the error message. Pass `next_before` as `before` to get the next page; a ' +
            'page without it is the last.',
          tags,
          querystring: AdminJobQuery,
          response: { 200: AdminJobPage },
        },
      },
      async (request) => await jobs.list(actorOf(request), request.query),
    );

    app.post(
      '/admin/jobs/:job_id/cancel',
      {
        config: { operation: 'admin.jobs.cancel', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Cancel a job of any user, whether it waits or runs',
          description:
            'For administrators; other users get 403. `cancelled` is `false` when the job had already ' +
            'ended. An unknown id gets 404.',
          tags,
          params: JobParams,
          response: { 200: JobCancelled },
        },
      },
      async (request) => ({ cancelled: await jobs.cancel(actorOf(request), request.params.job_id) }),
    );
  };
