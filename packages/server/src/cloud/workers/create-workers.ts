import { type ToWorker, WORKER_CLOSE, type WorkerJob, type WorkerMessages } from '@atelier/contracts';
import type { Outcome } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import {
  type ConnectedWorker,
  newWorker,
  stateOf,
  type WorkerIdentity,
  type WorkerLink,
} from './connected-worker.ts';
import type { Abilities, WorkerOffer } from './matching/abilities.ts';
import type { EngineKind, JobNeeds } from './matching/job-needs.ts';
import { createModelAffinity } from './matching/model-affinity.ts';
import { createRemoteAttempt, type RemoteAttempt, type RunOptions, WorkerLost } from './remote-attempt.ts';
import {
  addError,
  countEnded,
  createWorkerRecords,
  type Quarantine,
  type Trouble,
} from './worker-records.ts';

/** How long a worker may be away before its attempts are lost. */
const GRACE_MS = 30_000;
const MAX_REMEMBERED_USERS = 1000;

/** Room for one job at a worker. */
export interface Lane {
  /** The worker has access to the folders of this machine. */
  readonly isLocal: boolean;
  readonly worker: WorkerOffer & { readonly instance: string };
  /** Rejects with `WorkerLost`. `id` is `<job id>/<attempt>`. */
  run(id: string, options: RunOptions): Promise<Outcome>;
  /** Records trouble of the worker, such as an output that it did not send. */
  blame(job: { readonly id: string; readonly userId: string }, why: WorkerLost): void;
  /** Must be called at the end: makes the lane ready again if nothing was run on it. */
  release(): void;
}

interface Parts {
  readonly clock: Clock;
  readonly installation: string;
  /** Called when a job can begin. */
  readonly onReady: () => void;
  /** Called when the node types of a worker are known. */
  readonly onKnown: () => void;
  /** Called when an attempt has ended at a worker, with the trouble of the worker if there was any. */
  readonly onOutcome: (worker: ConnectedWorker, trouble: Trouble | undefined, userId: string) => void;
  /** Called when a worker has connected. Its record may be that of an earlier process. */
  readonly onArrived: (worker: ConnectedWorker) => void;
  /** Called when a worker reports that its trouble is over. */
  readonly onRecovered: (worker: ConnectedWorker) => void;
  readonly abilities: Abilities;
  /** Workers of other servers. */
  readonly elsewhere: () => readonly WorkerOffer[];
  readonly graceMs?: number;
}

const MAX_ENDED = 1000;
/** Failures that say more about the worker than about the graph. The engine limits the memory of each job; at a ComfyUI others may use it up. */
const TROUBLES: Readonly<Record<EngineKind, ReadonlySet<string>>> = {
  'built-in': new Set(['PanicError', 'DiskFull']),
  comfyui: new Set(['OOMError', 'PanicError', 'DiskFull']),
};
/** Reasons for losing an attempt that are not trouble of its worker. */
const BLAMELESS: ReadonlySet<string> = new Set(['returned', 'interrupted']);

/** The workers that are connected to this server. */
export function createWorkers({
  clock,
  installation,
  onReady,
  onKnown,
  onOutcome,
  onArrived,
  onRecovered,
  abilities,
  elsewhere,
  graceMs = GRACE_MS,
}: Parts) {
  const workers = new Map<string, ConnectedWorker>();
  const affinity = createModelAffinity({ clock });
  /** Attempts that have ended here recently: a worker that does not know it yet reports them again. */
  const endedAttempts = new Set<string>();
  /** The worker that last ran a job of a user and may have cached its results. */
  const lastOf = new Map<string, ConnectedWorker>();
  const recordOf = createWorkerRecords();

  const takesJobs = (worker: ConnectedWorker): boolean =>
    stateOf(worker) === 'ready' && worker.isKnown && worker.status?.problem === undefined;
  const isUnloaded = (worker: ConnectedWorker): boolean =>
    worker.link !== undefined && !worker.isLoading && worker.hello.nodeTypes === undefined;
  const canTake = (worker: ConnectedWorker): boolean => takesJobs(worker) && worker.ready > 0;
  const offers = (which: (worker: ConnectedWorker) => boolean): WorkerOffer[] =>
    [...workers.values()].filter(which).map(({ hello }) => hello);

  function lose(worker: ConnectedWorker, why = gone(worker)): void {
    clearTimeout(worker.forgetTimer);
    affinity.forget(worker.hello.instance);
    if (workers.get(worker.hello.instance) === worker) workers.delete(worker.hello.instance);
    for (const attempt of worker.attempts.values()) attempt.lose(why);
    worker.attempts.clear();
  }

  /**
   * A process that starts with the token and name of one that is away replaces it: the earlier one has crashed. Two machines with the
   * same token and name look like this only if one starts while the other is away, and then its jobs run again.
   */
  function loseCrashed({ tokenId }: WorkerIdentity, name: string): void {
    const why = new WorkerLost('crash', `The worker ${name} ended and was started again.`);
    for (const each of workers.values()) {
      if (!each.link && each.identity.tokenId === tokenId && each.hello.name === name) lose(each, why);
    }
  }

  function note(
    worker: ConnectedWorker,
    { jobId, scope }: Pick<WorkerJob, 'jobId' | 'scope'>,
    trouble?: Trouble,
  ): void {
    if (trouble) {
      const { reason: cause, message } = trouble;
      addError(worker.record, { at: clock(), job_id: jobId, cause, message: message.trim() });
    }
    onOutcome(worker, trouble, scope);
  }

  function newAttempt(worker: ConnectedWorker, id: string, isTakenOver: boolean): RemoteAttempt {
    const send = (message: ToWorker): void => worker.link?.send(message);
    const attempt = createRemoteAttempt({ id, clock, isTakenOver, send });
    worker.attempts.set(id, attempt);
    return attempt;
  }

  async function run(worker: ConnectedWorker, attempt: RemoteAttempt, options: RunOptions): Promise<Outcome> {
    try {
      const outcome = await attempt.run(options);
      const { exception_type: reason = '', exception_message: message = '' } = outcome.error ?? {};
      countEnded(worker.record, clock());
      if (outcome.status !== 'interrupted') {
        note(worker, options.job, TROUBLES[worker.hello.kind].has(reason) ? { reason, message } : undefined);
      }
      return outcome;
    } catch (error) {
      if (error instanceof WorkerLost && !BLAMELESS.has(error.reason)) note(worker, options.job, error);
      throw error;
    }
  }

  const toLane = (worker: ConnectedWorker, use: Pick<Lane, 'run' | 'release'>): Lane => ({
    isLocal: worker.identity.isOwn,
    worker: worker.hello,
    blame: ({ id: jobId, userId: scope }, why) => note(worker, { jobId, scope }, why),
    ...use,
  });

  function laneAt(worker: ConnectedWorker): Lane {
    const { link } = worker;
    let isFree = false;
    worker.ready -= 1;
    return toLane(worker, {
      async run(id, options) {
        isFree = true;
        if (!link || worker.link !== link) throw gone(worker);
        return await run(worker, newAttempt(worker, id, false), options);
      },
      release() {
        if (isFree || worker.link !== link) return;
        isFree = true;
        worker.ready += 1;
        onReady();
      },
    });
  }

  return {
    all: (): readonly ConnectedWorker[] => [...workers.values()],
    get: (instance: string): ConnectedWorker | undefined => workers.get(instance),
    /** How many jobs could run at once. */
    size: (): number =>
      workers.values().reduce((sum, worker) => sum + (takesJobs(worker) ? worker.hello.slots : 0), 0),
    hasReady: (): boolean => workers.values().some(canTake),
    /** The needs of jobs that no worker can start now. */
    unable: (): readonly string[] => abilities.unable(offers(canTake), offers(takesJobs)),
    /** The needs of jobs that should wait a little, because no ready worker has their models loaded. */
    avoided: (): readonly string[] =>
      affinity.avoided(
        workers
          .values()
          .filter((worker) => canTake(worker) && worker.hello.kind === 'comfyui')
          .map(({ hello }) => hello.instance)
          .toArray(),
        abilities
          .known()
          .entries()
          .map(([key, { models = [] }]) => [key, models] as const),
      ),
    passedOver: affinity.passedOver,
    /** Whether a worker that meets the needs has more memory than this. */
    hasMoreMemory: (needs: JobNeeds, than: number): boolean =>
      abilities.hasMoreMemory(needs, than, [...offers(takesJobs), ...elsewhere()]),
    /** Groups of workers that can run the same jobs. */
    kinds() {
      const groups = Map.groupBy(workers.values().filter(takesJobs), ({ hello }) => abilities.kindOf(hello));
      return [...groups.values()].map((group) => ({
        slots: group.reduce((sum, { hello }) => sum + hello.slots, 0),
        /** The needs of jobs that they cannot run. */
        unable: abilities.unable(
          group.map(({ hello }) => hello),
          offers(takesJobs),
        ),
        instances: new Set(group.map(({ hello }) => hello.instance)),
      }));
    },
    hasUnloaded: (): boolean => workers.values().some(isUnloaded),
    /** Makes workers load their node types if they have not done so: a job waits, or a request needs them. */
    load(): void {
      for (const worker of workers.values().filter(isUnloaded)) {
        worker.isLoading = true;
        worker.link?.send({ type: 'load' });
      }
    },
    /** A lane for a job with these needs, preferably where its models are loaded or where the user's last job ran. */
    take(userId: string, needs: JobNeeds, key: string | null): Lane | undefined {
      const all = offers(takesJobs);
      const canRun = (each: ConnectedWorker): boolean =>
        canTake(each) && abilities.isAble(each.hello, needs, all);
      const { models = [] } = needs;
      const hasModels = ({ hello }: ConnectedWorker) => affinity.has(hello.instance, models);
      const last = lastOf.get(userId);
      const worker =
        workers.values().find((each) => models.length > 0 && hasModels(each) && canRun(each)) ??
        (last && canRun(last) ? last : workers.values().find(canRun));
      if (!worker) return undefined;
      if (key !== null) affinity.began(worker.hello.instance, key, models);
      lastOf.delete(userId);
      lastOf.set(userId, worker);
      if (lastOf.size > MAX_REMEMBERED_USERS) lastOf.delete(lastOf.keys().next().value ?? '');
      return laneAt(worker);
    },
    /** The lane of an attempt that was taken over from another server. */
    laneOf(worker: ConnectedWorker, id: string): Lane | undefined {
      const attempt = worker.attempts.get(id);
      if (!attempt) return undefined;
      return toLane(worker, {
        run: async (_id, options) => await run(worker, attempt, options),
        release: () => {},
      });
    },
    /** A lane at this worker, even if it takes no jobs. */
    takeAt: (worker: ConnectedWorker): Lane | undefined =>
      worker.link && worker.ready > 0 ? laneAt(worker) : undefined,
    /** Whether this server knows the attempt, at any worker. */
    hasAttempt: (id: string): boolean =>
      endedAttempts.has(id) || workers.values().some(({ attempts }) => attempts.has(id)),
    /** The worker has finished it; this server may still be writing its end. */
    endAttempt(worker: ConnectedWorker, id: string): void {
      worker.attempts.delete(id);
      endedAttempts.add(id);
      if (endedAttempts.size > MAX_ENDED) endedAttempts.delete(endedAttempts.keys().next().value ?? '');
    },
    /** Whether a worker with another token has this instance. */
    isTaken(instance: string, { tokenId }: WorkerIdentity): boolean {
      const before = workers.get(instance);
      return before !== undefined && before.identity.tokenId !== tokenId;
    },
    /**
     * Admits a worker that has said hello, for the first time or again within the grace period. `takenOver` are attempts that other servers
     * began; `quarantine` is the reason an administrator gave for keeping jobs away from it.
     */
    arrive(
      identity: WorkerIdentity,
      hello: WorkerMessages['hello'],
      {
        link,
        takenOver,
        quarantine,
      }: {
        readonly link: WorkerLink;
        readonly takenOver: readonly string[];
        readonly quarantine: string | undefined;
      },
    ): ConnectedWorker {
      const known = workers.get(hello.instance);
      known?.link?.close(WORKER_CLOSE.replaced, 'The worker has connected again.');
      if (!known) loseCrashed(identity, hello.name);
      const worker: ConnectedWorker =
        known ?? newWorker(identity, hello, { connectedAt: clock(), record: recordOf(identity, hello.name) });
      clearTimeout(worker.forgetTimer);
      worker.hello = hello;
      worker.link = link;
      worker.isLoading = false;
      const has = new Set(hello.attempts.map(({ attempt }) => attempt));
      for (const [id, attempt] of worker.attempts) {
        if (has.has(id) && !attempt.isCancelled()) continue;
        // The welcome does not name it, so the worker drops it.
        worker.attempts.delete(id);
        attempt.lose(gone(worker));
      }
      for (const id of takenOver) newAttempt(worker, id, true);
      workers.set(hello.instance, worker);
      link.send({
        type: 'welcome',
        installation,
        graceMs,
        attempts: [...worker.attempts.values()].map(({ id, after }) => ({ attempt: id, after: after() })),
      });
      const { isDraining = false } = hello;
      // A known worker may have been drained or released while it was away.
      if (!known) worker.isDraining = isDraining;
      else if (worker.isDraining !== isDraining) link.send({ type: worker.isDraining ? 'drain' : 'resume' });
      worker.ready = hello.ready;
      const { record } = worker;
      // It may have been released at another server. A quarantine that is not stored is known to this server only.
      const isStored = !identity.isOwn && record.quarantine?.isAutomatic !== true;
      if (quarantine !== undefined) record.quarantine = { reason: quarantine, isAutomatic: false };
      else if (isStored) record.quarantine = undefined;
      onArrived(worker);
      return worker;
    },
    /** Its node types are known; it may have changed its offer meanwhile. */
    known(worker: ConnectedWorker, nodeTypes: string): void {
      worker.isKnown = worker.hello.nodeTypes === nodeTypes;
      onKnown();
      if (canTake(worker)) onReady();
    },
    /** Its free memory or its problem has changed. */
    status(worker: ConnectedWorker, status: WorkerMessages['status']): void {
      if (worker.status?.problem !== undefined && status.problem === undefined) onRecovered(worker);
      worker.status = status;
      if (canTake(worker)) onReady();
    },
    ready(worker: ConnectedWorker, count: number): void {
      worker.ready = Math.min(worker.ready + count, worker.hello.slots);
      onReady();
    },
    /** Its connection is lost. Its attempts are lost too unless it comes back in time. */
    leave(worker: ConnectedWorker, link: WorkerLink): void {
      if (worker.link !== link) return;
      worker.link = undefined;
      worker.seenAt = clock();
      worker.ready = 0;
      if (worker.attempts.size === 0) lose(worker);
      else worker.forgetTimer = setTimeout(() => lose(worker), graceMs);
    },
    /** The process of a worker that this server started has ended: it does not come back. */
    ended(name: string): void {
      const why = new WorkerLost('crash', `The worker ${name} ended.`);
      for (const worker of workers.values()) {
        if (worker.identity.isOwn && worker.identity.tokenId === name) lose(worker, why);
      }
    },
    /** Forgets a worker that cannot be trusted: its attempts run elsewhere. */
    expel: (worker: ConnectedWorker): void => lose(worker),
    setWanted(
      worker: ConnectedWorker,
      { drain, quarantine }: { readonly drain: boolean; readonly quarantine: Quarantine | undefined },
    ): void {
      if (worker.isDraining !== drain) worker.link?.send({ type: drain ? 'drain' : 'resume' });
      worker.isDraining = drain;
      worker.record.quarantine = quarantine;
      if (canTake(worker)) onReady();
    },
    forget(userId: string): void {
      lastOf.get(userId)?.link?.send({ type: 'forget', scope: userId });
    },
    close(): void {
      for (const worker of workers.values()) lose(worker);
    },
  };
}

export type Workers = ReturnType<typeof createWorkers>;

function gone({ hello }: ConnectedWorker): WorkerLost {
  return new WorkerLost('gone', `The worker ${hello.name} was lost.`);
}
