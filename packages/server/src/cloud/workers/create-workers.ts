import { type ToWorker, WORKER_CLOSE, type WorkerJob, type WorkerMessages } from '@atelier/contracts';
import type { Outcome } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import { type ConnectedWorker, newWorker, type WorkerIdentity, type WorkerLink } from './connected-worker.ts';
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

/** How long a worker may be away before its attempts are given to others. */
const GRACE_MS = 30_000;
const MAX_REMEMBERED_USERS = 1000;

/** A place at a worker that one job may take. */
export interface Lane {
  /** The worker sees the folders of this machine. */
  readonly isLocal: boolean;
  readonly worker: WorkerOffer & { readonly instance: string };
  /** Rejects with `WorkerLost`. `id` is `<job id>/<attempt>`. */
  run(id: string, options: RunOptions): Promise<Outcome>;
  /** What the worker brought cannot be used. Notes it as trouble of the worker. */
  blame(job: { readonly id: string; readonly userId: string }, why: WorkerLost): void;
  /** Call it at the end: gives the place back if nothing was run there. */
  release(): void;
}

interface Parts {
  readonly clock: Clock;
  readonly installation: string;
  /** A job may begin. */
  readonly onReady: () => void;
  /** The node types of a worker are known. */
  readonly onKnown: () => void;
  /** An attempt has ended at a worker, with trouble of the worker or without. */
  readonly onOutcome: (worker: ConnectedWorker, trouble: Trouble | undefined, userId: string) => void;
  /** It is connected. Its record may be one of before. */
  readonly onArrived: (worker: ConnectedWorker) => void;
  /** A worker says that its trouble is over. */
  readonly onRecovered: (worker: ConnectedWorker) => void;
  readonly abilities: Abilities;
  /** Workers of other servers. */
  readonly elsewhere: () => readonly WorkerOffer[];
  readonly graceMs?: number;
}

/** Workers that can run the same jobs. */
export interface WorkerKind {
  readonly slots: number;
  /** The needs of jobs that they cannot run. */
  readonly unable: readonly string[];
  readonly instances: ReadonlySet<string>;
}

const MAX_ENDED = 1000;
/** Failures that say more about the worker than about the graph. The engine bounds the memory of each job; at ComfyUI somebody else may have it. */
const TROUBLES: Readonly<Record<EngineKind, ReadonlySet<string>>> = {
  'built-in': new Set(['PanicError', 'DiskFull']),
  comfyui: new Set(['OOMError', 'PanicError', 'DiskFull']),
};
/** Reasons for which an attempt is lost that are no trouble of its worker. */
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
  /** Attempts that have ended here lately: a worker that has not heard so brings them again. */
  const endedAttempts = new Set<string>();
  /** Which worker last ran a job of a user, and may have results of it. */
  const lastOf = new Map<string, ConnectedWorker>();
  const records = createWorkerRecords();

  const takesJobs = ({ link, isKnown, isDraining, record, status }: ConnectedWorker): boolean =>
    link !== undefined &&
    isKnown &&
    !isDraining &&
    record.quarantine === undefined &&
    status?.problem === undefined;
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
   * A process that starts again with the token and name of one that is away takes its place: the earlier one has crashed. Two machines
   * with the same token and name look like that only if one starts while the other is away, and then its jobs run again.
   */
  function loseCrashed({ tokenId }: WorkerIdentity, name: string): void {
    const why = new WorkerLost('crash', `The worker ${name} ended and was started again.`);
    for (const each of workers.values()) {
      if (!each.link && each.identity.tokenId === tokenId && each.hello.name === name) lose(each, why);
    }
  }

  function note(
    worker: ConnectedWorker,
    { jobId: job_id, scope }: Pick<WorkerJob, 'jobId' | 'scope'>,
    trouble?: Trouble,
  ): void {
    if (trouble) {
      const { reason: cause, message } = trouble;
      addError(worker.record, { at: clock(), job_id, cause, message: message.trim() });
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

  const blame =
    (worker: ConnectedWorker): Lane['blame'] =>
    ({ id: jobId, userId: scope }, why) =>
      note(worker, { jobId, scope }, why);

  function laneAt(worker: ConnectedWorker): Lane {
    const { link } = worker;
    let isFree = false;
    worker.ready -= 1;
    return {
      isLocal: worker.identity.isOwn,
      worker: worker.hello,
      async run(id, options) {
        isFree = true;
        if (!link || worker.link !== link) throw gone(worker);
        return await run(worker, newAttempt(worker, id, false), options);
      },
      blame: blame(worker),
      release() {
        if (isFree || worker.link !== link) return;
        isFree = true;
        worker.ready += 1;
        onReady();
      },
    };
  }

  return {
    all: (): readonly ConnectedWorker[] => [...workers.values()],
    get: (instance: string): ConnectedWorker | undefined => workers.get(instance),
    /** How many jobs could run at once. */
    size: (): number =>
      workers.values().reduce((sum, worker) => sum + (takesJobs(worker) ? worker.hello.slots : 0), 0),
    hasReady: (): boolean => workers.values().some(canTake),
    /** The needs of jobs that no worker can begin now. */
    unable: (): readonly string[] => abilities.unable(offers(canTake), offers(takesJobs)),
    /** The needs of jobs that had better wait a little: no worker that is ready has their models loaded. */
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
    /** Whether a worker that has what is needed has more memory than so much. */
    hasMoreMemory: (needs: JobNeeds, than: number): boolean =>
      abilities.hasMoreMemory(needs, than, [...offers(takesJobs), ...elsewhere()]),
    kinds(): WorkerKind[] {
      const groups = Map.groupBy(workers.values().filter(takesJobs), ({ hello }) => abilities.kindOf(hello));
      return [...groups.values()].map((group) => ({
        slots: group.reduce((sum, { hello }) => sum + hello.slots, 0),
        unable: abilities.unable(
          group.map(({ hello }) => hello),
          offers(takesJobs),
        ),
        instances: new Set(group.map(({ hello }) => hello.instance)),
      }));
    },
    /** Whether `load` would do something. */
    hasUnloaded: (): boolean => workers.values().some(isUnloaded),
    /** Something is to be run, or to be known of node types: workers that have not loaded theirs do so now. */
    load(): void {
      for (const worker of workers.values().filter(isUnloaded)) {
        worker.isLoading = true;
        worker.link?.send({ type: 'load' });
      }
    },
    /** A place that is ready for a job with these needs, by preference where its models are loaded or the last job of this user ran. */
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
    /** The place of an attempt that was taken over from another server. */
    laneOf(worker: ConnectedWorker, id: string): Lane | undefined {
      const attempt = worker.attempts.get(id);
      if (!attempt) return undefined;
      return {
        isLocal: worker.identity.isOwn,
        worker: worker.hello,
        run: async (_id, options) => await run(worker, attempt, options),
        blame: blame(worker),
        release: () => {},
      };
    },
    /** A place at this worker, whether it takes jobs or not. */
    takeAt: (worker: ConnectedWorker): Lane | undefined =>
      worker.link && worker.ready > 0 ? laneAt(worker) : undefined,
    /** Whether this server knows the attempt, of whichever worker. */
    hasAttempt: (id: string): boolean =>
      endedAttempts.has(id) || workers.values().some(({ attempts }) => attempts.has(id)),
    /** The worker has brought it to its end, which is still being written here. */
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
     * A worker has said hello: for the first time, or again within the grace period. `takenOver` are attempts that other servers began,
     * `quarantine` is why an administrator gives it no jobs.
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
        known ??
        newWorker(identity, hello, { connectedAt: clock(), record: records.of(identity, hello.name) });
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
      // Known here, it may have been drained or released while it was away.
      if (!known) worker.isDraining = isDraining;
      else if (worker.isDraining !== isDraining) link.send({ type: worker.isDraining ? 'drain' : 'resume' });
      worker.ready = hello.ready;
      const { record } = worker;
      // It may have been released at another server. What nobody has written down is known here only.
      const isKnownHere = identity.isOwn || record.quarantine?.isAutomatic === true;
      if (quarantine !== undefined) record.quarantine = { reason: quarantine, isAutomatic: false };
      else if (!isKnownHere) record.quarantine = undefined;
      onArrived(worker);
      return worker;
    },
    /** Its node types are known. */
    known(worker: ConnectedWorker, nodeTypes: string): void {
      worker.isKnown = worker.hello.nodeTypes === nodeTypes;
      onKnown();
      if (canTake(worker)) onReady();
    },
    /** Its memory is another one, or it has got or lost a problem. */
    status(worker: ConnectedWorker, status: WorkerMessages['status']): void {
      if (worker.status?.problem !== undefined && status.problem === undefined) onRecovered(worker);
      worker.status = status;
      if (canTake(worker)) onReady();
    },
    ready(worker: ConnectedWorker, count: number): void {
      worker.ready = Math.min(worker.ready + count, worker.hello.slots);
      onReady();
    },
    /** Its connection is lost. Its attempts are lost too unless it comes back. */
    leave(worker: ConnectedWorker, link: WorkerLink): void {
      if (worker.link !== link) return;
      worker.link = undefined;
      worker.seenAt = clock();
      worker.ready = 0;
      if (worker.attempts.size === 0) lose(worker);
      else worker.forgetTimer = setTimeout(() => lose(worker), graceMs);
    },
    /** The process of a worker that this server has started has ended: it does not come back. */
    ended(name: string): void {
      const why = new WorkerLost('crash', `The worker ${name} ended.`);
      for (const worker of workers.values()) {
        if (worker.identity.isOwn && worker.identity.tokenId === name) lose(worker, why);
      }
    },
    /** What it said cannot be trusted: its attempts run elsewhere. */
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
