import type { App } from '../../platform/http/route-config.ts';
import { adminJobsRoutes } from './admin-jobs.routes.ts';
import { type AdminJobsParts, createAdminJobsService } from './admin-jobs.service.ts';
import { historyRoutes } from './history.routes.ts';
import { createHistoryService } from './history.service.ts';
import { hostQueueRoutes } from './host-queue.routes.ts';
import { createHostQueueService, type HostQueueParts } from './host-queue.service.ts';
import { jobsRoutes } from './jobs.routes.ts';
import { createJobsService, type JobsParts } from './jobs.service.ts';
import type { TimelineParts } from './read-timeline.ts';

type Parts = JobsParts & TimelineParts & Pick<HostQueueParts, 'free'> & AdminJobsParts;

/** Reads and cancels jobs: the jobs API, and the queue and history of ComfyUI. */
export function createJobs(parts: Parts) {
  const jobs = createJobsService(parts);
  const queue = createHostQueueService(parts);
  const history = createHistoryService(parts);
  return {
    async routes(app: App): Promise<void> {
      await jobsRoutes({ jobs, timeline: parts })(app);
      await adminJobsRoutes({ jobs: createAdminJobsService(parts) })(app);
      await hostQueueRoutes({ queue })(app);
      await historyRoutes({ history })(app);
    },
  };
}
