import { atMostEvery } from '../../platform/at-most-every.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { NO_USER } from '../../platform/bus/envelopes.ts';
import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import type { OpenLink } from '../../platform/bus/link.ts';
import { createSharedBus } from '../../platform/bus/shared-bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Meters } from '../../platform/metrics/create-meters.ts';
import { createStallDetector } from '../../platform/stall-detector.ts';
import type { QueueCounts } from '../queue/job-queue.ts';
import { decodeEvent, encodeEvent } from './encode-event.ts';
import { createEventDeduplicator } from './event-deduplicator.ts';
import { createJobsElsewhere } from './jobs-elsewhere.ts';
import type { KeptEvent, LiveJobs } from './live-jobs.ts';
import { endMarker, isEndMarker, isFinal, keptMessage } from './messages.ts';
import { createStatusCheck } from './status-check.ts';
import { createStepsElsewhere, isStep } from './steps-elsewhere.ts';
import type { MessageEvent, UserEvent } from './user-event.ts';

const MAX_TOLD = 1000;
/** Between servers only: credentials of the user may have been revoked. */
const REVOKED: MessageEvent = {
  kind: 'message',
  type: 'credentials_revoked',
  data: 'null',
  replaceable: false,
};
/** Between servers only: a job waits, and the server that accepted it has no ready worker. */
const WORK: MessageEvent = { ...REVOKED, type: 'job_waits' };
/** A server that hears of work takes jobs as long as there are any, so one message per job is not needed. */
const WORK_MS = 25;

interface Parts {
  /** Carries messages between the servers of one database; `undefined` when there is only one. */
  readonly openLink: OpenLink | undefined;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly clock: Clock;
  /** When this server stalls for longer, other servers take over its jobs. */
  readonly stallMs: number;
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
}

/** Reactions to other servers. Passed to `start`, because what reacts also publishes on the bus. */
interface Reactions {
  readonly live: LiveJobs;
  /** Stops the attempt of this server, if it has one. */
  readonly stopRun: (jobId: string) => void;
  /** Credentials of the user may have been revoked, here or on another server. */
  readonly onRevoked: (userId: string) => void;
  /** Another server has a job that waits for a worker. */
  readonly onWork: () => void;
  /** This server stalled for longer than `stallMs`. Another server may have taken over its jobs. */
  readonly onResume: () => void;
  /** Messages for listeners on this server are missing. */
  readonly onMissed: () => void;
}

/** Delivers events to users who listen, on this server and on others. */
export function createUserBus(parts: Parts) {
  const { openLink, countsOf, onError } = parts;
  let reactions: Reactions | undefined;
  const onRevoked = (userId: string) => reactions?.onRevoked(userId);
  const listeners = createInProcessBus<UserEvent>(onError);
  /** After a stall nothing is published here until the other servers are heard again and all clients must reconnect. */
  let isMute = false;
  /** Only another server can take over an attempt. */
  const deduplicator = openLink && createEventDeduplicator();
  const local: Bus<UserEvent> = {
    ...listeners,
    publish(userId, event) {
      if (!isMute && (deduplicator?.note(event) ?? true)) listeners.publish(userId, event);
    },
  };
  /** Jobs whose end was published here before the bus delivered it, if it ever does. */
  const toldHere = new Set<string>();

  /** The fallback when the bus was down: tells listeners on this server how a job ended on another one. */
  function tellHere(
    { id, userId }: { readonly id: string; readonly userId: string },
    event: KeptEvent,
  ): void {
    const [oldest] = toldHere;
    if (oldest !== undefined && toldHere.size >= MAX_TOLD) toldHere.delete(oldest);
    toldHere.add(id);
    local.publish(userId, keptMessage(id, event));
    local.publish(userId, endMarker(id));
  }

  if (!openLink) {
    return {
      bus: local,
      tellHere,
      presentElsewhere: () => [],
      tellRevoked: onRevoked,
      tellWork: () => undefined,
      countOthers: () => 0,
      hearsOthers: () => true,
      async start(given: Reactions) {
        reactions = given;
      },
      close: async () => undefined,
    };
  }
  const elsewhere = createJobsElsewhere();
  const counts = createStatusCheck({
    countsOf,
    isHeard: local.hasListeners,
    tell: local.publish,
    onError,
  });
  const leftOut = parts.meters.counter({
    name: 'atelier_bus_left_out_total',
    help: 'Events dropped because the queue to other servers was full.',
    labels: { what: ['picture', 'message'] },
  });
  const shared = createSharedBus<UserEvent>({
    openLink,
    local,
    encode: encodeEvent,
    decode: decodeEvent,
    concernsAll: (event) => event.kind === 'message' && event.type === 'execution_interrupted',
    hasResumed: () => stalls.hasResumed(),
    onReceived(userId, event) {
      if (stalls.hasResumed()) return;
      if (event.jobId !== undefined && toldHere.has(event.jobId)) return;
      if (event.kind !== 'message') {
        local.publish(userId, event);
        if (event.kind === 'preview') local.publish(userId, { ...event, layout: 'plain' });
        return;
      }
      if (event.type === REVOKED.type) {
        onRevoked(userId);
        return;
      }
      if (event.type === WORK.type) {
        reactions?.onWork();
        return;
      }
      settle(event);
      if (event.type === 'status') {
        counts.recheck(userId);
        counts.told(userId, event);
      }
      if (elsewhere.note(userId, event)) local.publish(userId, event);
    },
    onNeeded(userId) {
      for (const job of reactions?.live.of(userId) ?? []) {
        for (const message of job.present()) shared.tellOthers(userId, message);
      }
    },
    onIdle: elsewhere.forgetUser,
    onMissed(userIds) {
      elsewhere.forgetAll();
      deduplicator?.forgetAll();
      for (const userId of userIds) {
        counts.recheck(userId);
        onRevoked(userId);
      }
      reactions?.onMissed();
      isMute = false;
    },
    onLeftOut: (what) => leftOut.add({ what }),
    onError,
  });
  parts.meters.gauge({
    name: 'atelier_bus_open',
    help: 'Whether this server hears what other servers say: 1 or 0.',
    labels: {},
    read: () => [[{}, shared.isOpen() ? 1 : 0]],
  });

  const steps = createStepsElsewhere((userId, event) => {
    if (!stalls.hasResumed()) shared.tellOthers(userId, event);
  });
  const work = atMostEvery(WORK_MS, () => {
    if (shared.hasOthers()) shared.tellAll(NO_USER, WORK);
  });
  const stalls = createStallDetector({
    clock: parts.clock,
    stallMs: parts.stallMs,
    onResume() {
      isMute = true;
      steps.close();
      reactions?.onResume();
      shared.reconnect();
    },
  });

  /** Ends a job here that another server has ended; its watchers get the messages of that server. */
  function settle(event: MessageEvent): void {
    const { jobId, type, data } = event;
    if (jobId === undefined) return;
    const isOver = isFinal({ type, data: type === 'execution_error' ? JSON.parse(data) : undefined });
    if (isOver || isEndMarker(event)) elsewhere.forget(jobId);
    const running = reactions?.live.get(jobId);
    if (isOver) {
      steps.forget(jobId);
      running?.end();
    }
    // A claim in progress may return a job that was just cancelled.
    if (isOver && (running || type === 'execution_interrupted')) reactions?.stopRun(jobId);
  }

  const bus: Bus<UserEvent> = {
    ...shared,
    publish(userId, event) {
      if (stalls.hasResumed()) return;
      if (isStep(event)) {
        local.publish(userId, event);
        if (shared.isHeardElsewhere(userId)) steps.tell(userId, event);
        return;
      }
      if (event.kind === 'message' && event.type === 'status') counts.told(userId, event);
      // The job begins or ends here, wherever it ran before. Only a notification may be about a job of another server.
      if (event.kind === 'message' && event.jobId !== undefined && event.type !== 'notification') {
        elsewhere.forget(event.jobId);
      }
      steps.flush(event);
      shared.publish(userId, event);
      if (event.kind === 'message' && event.jobId !== undefined && isEndMarker(event))
        steps.forget(event.jobId);
    },
  };
  return {
    bus,
    tellHere,
    /** The messages that a new watcher needs about the user's jobs on other servers. */
    presentElsewhere: elsewhere.presentOf,
    /** Tells all servers that credentials of the user may have been revoked. */
    tellRevoked(userId: string) {
      onRevoked(userId);
      shared.tellAll(userId, REVOKED);
    },
    /** Tells the other servers that a job waits. */
    tellWork: work.ask,
    /** How many other servers have announced themselves. */
    countOthers: shared.countOthers,
    /** False while messages of other servers may be missed. */
    hearsOthers: shared.isOpen,
    async start(given: Reactions) {
      reactions = given;
      await shared.start();
      stalls.start();
    },
    async close() {
      stalls.close();
      counts.close();
      steps.close();
      work.stop();
      await shared.close();
    },
  };
}
