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

interface Parts {
  readonly bus: Bus<UserEvent>;
  /** What a watcher who comes now has to know of jobs that run on other servers. */
  readonly presentElsewhere?: (userId: string) => readonly MessageEvent[];
  /** False while other servers cannot say that a credential was revoked. */
  readonly hearsOthers?: () => boolean;
  readonly clock: Clock;
  /** What this server can do, as `/features` says it. */
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
export function createEvents(parts: Parts) {
  const { bus, presentElsewhere = () => [], clock, features, streamsPerUser, times, ...callers } = parts;
  const { pingMs, commentMs, ...connectionTimes } = { ...TIMES, ...times };
  const { hearsOthers = () => true, onError } = parts;
  const live = createLiveJobs({ bus, clock });
  const connections = createConnections({
    limitPerUser: streamsPerUser,
    hearsOthers,
    onError,
    ...connectionTimes,
  });
  const shared = { ...callers, bus, live, presentElsewhere, connections, pingMs, commentMs };
  const answer = { kind: 'message', type: 'feature_flags', replaceable: false } as const;

  return {
    live,
    /** For other kinds of streams. */
    streaming: {
      bus,
      live,
      presentElsewhere,
      connections,
      commentMs,
      authenticate: parts.authenticate,
      onError,
    },
    async routes(app: App): Promise<void> {
      await socketRoutes({ ...shared, features: { ...answer, data: JSON.stringify(features) } })(app);
      await jobEventsRoutes(shared)(app);
      await userEventsRoutes(shared)(app);
    },
    publishStatus: (userId: string, counts: QueueCounts) => bus.publish(userId, statusEvent(counts)),
    notify: (userId: string, jobId: string, text: string) =>
      bus.publish(userId, notificationEvent(jobId, text)),
    /** How a job ended that does not run here. */
    tellEnd: ({ id, userId }: JobRef, event: KeptEvent) => bus.publish(userId, keptMessage(id, event)),
    /** What follows it, after the queue's `status`. */
    tellEndMarker: ({ id, userId }: JobRef) => bus.publish(userId, endMarker(id)),
    recheck: connections.recheck,
    count: connections.count,
    endAll: connections.endAll,
    /** Closing the app does it too. */
    close: connections.close,
  };
}
