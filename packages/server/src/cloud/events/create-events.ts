import type { FastifyRequest } from 'fastify';

import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Actor } from '../../platform/http/actor.ts';
import type { App } from '../../platform/http/route-config.ts';
import type { QueueCounts } from '../queue/job-queue.ts';
import { type ConnectionTimes, createConnections } from './connections.ts';
import { jobEventsRoutes } from './job-events.routes.ts';
import { createLiveJobs, type JobRecord, type KeptEvent } from './live-jobs.ts';
import { endMarker, keptMessage, notificationEvent, statusEvent } from './messages.ts';
import { socketRoutes } from './socket.routes.ts';
import type { MessageEvent, UserEvent } from './user-event.ts';
import { userEventsRoutes } from './user-events.routes.ts';

interface Times extends ConnectionTimes {
  readonly pingMs: number;
  readonly commentMs: number;
}

const TIMES: Times = {
  tickMs: 1000,
  checkMs: 60_000,
  soonMs: 1000,
  graceMs: 1000,
  pingMs: 30_000,
  commentMs: 15_000,
};

export interface EventsParts {
  readonly bus: Bus<UserEvent>;
  /** The messages that a new watcher needs about jobs on other servers. */
  readonly presentElsewhere?: (userId: string) => readonly MessageEvent[];
  /** False while this server would miss that a credential was revoked on another one. */
  readonly hearsOthers?: () => boolean;
  readonly clock: Clock;
  /** The features that `/features` lists. */
  readonly features: Readonly<Record<string, unknown>>;
  readonly streamsPerUser: number;
  readonly publicUrl: string | undefined;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly keptEventsOf: (userId: string, jobId: string) => Promise<JobRecord | undefined>;
  readonly onError: (error: unknown) => void;
  readonly times?: Partial<Times>;
}

interface JobRef {
  readonly id: string;
  readonly userId: string;
}

export type Events = ReturnType<typeof createEvents>;

/** What users see of their jobs as it happens: WebSockets and event streams. */
export function createEvents(parts: EventsParts) {
  const { bus, presentElsewhere = () => [], hearsOthers = () => true, features, streamsPerUser } = parts;
  const times = { ...TIMES, ...parts.times };
  const live = createLiveJobs(parts);
  const connections = createConnections({
    limitPerUser: streamsPerUser,
    hearsOthers,
    onError: parts.onError,
    ...times,
  });
  const presentOf = (userId: string) => [
    ...live.of(userId).flatMap((job) => job.present()),
    ...presentElsewhere(userId),
  ];
  const shared = { ...parts, ...times, live, presentElsewhere, presentOf, connections };
  const answer = { kind: 'message', type: 'feature_flags', replaceable: false } as const;

  return {
    live,
    /** For the streams of the Comfy API v2. */
    streaming: shared,
    async routes(app: App): Promise<void> {
      await socketRoutes({ ...shared, features: { ...answer, data: JSON.stringify(features) } })(app);
      await jobEventsRoutes(shared)(app);
      await userEventsRoutes(shared)(app);
    },
    publishStatus: (userId: string, counts: QueueCounts) => bus.publish(userId, statusEvent(counts)),
    notify: (userId: string, jobId: string, text: string) =>
      bus.publish(userId, notificationEvent(jobId, text)),
    /** Publishes how a job ended that does not run here. */
    tellEnd: ({ id, userId }: JobRef, event: KeptEvent) => bus.publish(userId, keptMessage(id, event)),
    /** Follows `tellEnd`, after the `status` of the queue. */
    tellEndMarker: ({ id, userId }: JobRef) => bus.publish(userId, endMarker(id)),
    recheck: connections.recheck,
    count: connections.count,
    endAll: connections.endAll,
    /** Also called when the app closes. */
    close: connections.close,
  };
}
