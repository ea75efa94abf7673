import type { App } from '../../platform/http/route-config.ts';
import { adminJobsRoutes } from './admin-jobs.routes.ts';
import { type AdminJobsParts, createAdminJobsService } from './admin-jobs.service.ts';
import { historyRoutes } from './history.routes.ts';
import { createHistoryService } from './history.service.ts';
import { hostQueueRoutes } from './host-queue.routes.ts';
import { createHostQueueService, type HostQueueParts } from './host-queue.service.ts';
import { createJobTotals } from './job-totals.ts';
import { jobsRoutes } from './jobs.routes.ts';
import { createJobsService, type JobsParts } from './jobs.service.ts';

type Parts = Omit<JobsParts, 'totals'> & Pick<HostQueueParts, 'free'> & AdminJobsParts;

export interface Jobs {
  readonly routes: (app: App) => Promise<void>;
}

/** What reads and steers jobs: the jobs API, and the queue and history of the host application. */
export function createJobs(parts: Parts): Jobs {
  const { db } = parts;
  const totals = createJobTotals(parts);
  const jobs = createJobsService({ ...parts, totals });
  const queue = createHostQueueService(parts);
  const history = createHistoryService({ db, totals });
  return {
    async routes(app) {
      await jobsRoutes({ jobs })(app);
      await adminJobsRoutes({ jobs: createAdminJobsService(parts) })(app);
      await hostQueueRoutes({ queue })(app);
      await historyRoutes({ history })(app);
    },
  };
}
