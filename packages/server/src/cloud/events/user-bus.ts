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
/** Between servers only: credentials of the user may have ended. */
const REVOKED: MessageEvent = {
  kind: 'message',
  type: 'credentials_revoked',
  data: 'null',
  replaceable: false,
};
/** Between servers only: a job waits, and no worker of the server that has taken it is ready. */
const WORK: MessageEvent = { ...REVOKED, type: 'job_waits' };
/** Servers that hear it take jobs as long as there are any: one for each job would only keep them busy. */
const WORK_MS = 25;

interface Parts {
  /** What carries messages between the servers of one database. Without it there is this server alone. */
  readonly openLink: OpenLink | undefined;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly clock: Clock;
  /** Longer than this without a sign of life, other servers take over what this one does. */
  readonly stallMs: number;
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
}

/** What reacts to other servers. Given at the start, because all of it publishes on the bus. */
interface Reactions {
  readonly live: LiveJobs;
  /** Ends the attempt that this server makes, if it makes one. */
  readonly stopRun: (jobId: string) => void;
  /** Credentials of the user may have ended, here or on another server. */
  readonly onRevoked: (userId: string) => void;
  /** Another server has a job that waits for a worker. */
  readonly onWork: () => void;
  /** This server stood still for longer than `stallMs`. Another server may have taken over what it runs. */
  readonly onResume: () => void;
  /** Messages to those who listen here are missing. */
  readonly onMissed: () => void;
}

export interface UserBus {
  readonly bus: Bus<UserEvent>;
  /** The net for when the bus was down: how a job ended that another server has ended, to those who listen on this one. */
  tellHere(job: { readonly id: string; readonly userId: string }, event: KeptEvent): void;
  /** What is known of this user's jobs that run on other servers. */
  presentElsewhere(userId: string): readonly MessageEvent[];
  /** Credentials of the user may have ended: all servers are told. */
  tellRevoked(userId: string): void;
  /** A job waits: other servers are told. */
  tellWork(): void;
  /** How many other servers have said that they are here. */
  countOthers(): number;
  /** False while it is unknown what other servers say. */
  hearsOthers(): boolean;
  start(reactions: Reactions): Promise<void>;
  close(): Promise<void>;
}

/** Carries what happens to the users who listen, on this server and on others. */
export function createUserBus(parts: Parts): UserBus {
  const { openLink, countsOf, onError } = parts;
  let reactions: Reactions | undefined;
  const onRevoked = (userId: string) => reactions?.onRevoked(userId);
  const listeners = createInProcessBus<UserEvent>(onError);
  /** After a standstill nothing is said here until the other servers are heard again and everybody has to connect anew. */
  let isMute = false;
  /** Only another server can take an attempt over. */
  const deduplicator = openLink && createEventDeduplicator();
  const local: Bus<UserEvent> = {
    ...listeners,
    publish(userId, event) {
      if (!isMute && (deduplicator?.note(event) ?? true)) listeners.publish(userId, event);
    },
  };
  /** Jobs whose end was told here before the bus brought it, if it ever does. */
  const toldHere = new Set<string>();

  const tellHere: UserBus['tellHere'] = ({ id, userId }, event) => {
    const [oldest] = toldHere;
    if (oldest !== undefined && toldHere.size >= MAX_TOLD) toldHere.delete(oldest);
    toldHere.add(id);
    local.publish(userId, keptMessage(id, event));
    local.publish(userId, endMarker(id));
  };

  if (!openLink) {
    return {
      bus: local,
      tellHere,
      presentElsewhere: () => [],
      tellRevoked: onRevoked,
      tellWork: () => undefined,
      countOthers: () => 0,
      hearsOthers: () => true,
      async start(given) {
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

  /** A job that another server has ended is over here too, and its watchers hear of it from there. */
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
    // A claim under way may come back with a job that was cancelled just now.
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
      // It begins or ends here, wherever it ran before. Only a notice may be about a job that another server has.
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
    presentElsewhere: elsewhere.presentOf,
    tellRevoked(userId) {
      onRevoked(userId);
      shared.tellAll(userId, REVOKED);
    },
    tellWork: work.ask,
    countOthers: shared.countOthers,
    hearsOthers: shared.isOpen,
    async start(given) {
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
