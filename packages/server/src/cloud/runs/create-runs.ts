import type { Clock } from '../../platform/clock.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { throughOutages } from '../../platform/errors/outages.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';
import { createWorkLoop } from '../../platform/work/work-loop.ts';
import type { KeptEvent, LiveJob, LiveJobs } from '../events/live-jobs.ts';
import { HEARTBEAT_MS, type JobQueue, SWEEP_MS } from '../queue/create-job-queue.ts';
import type { ClaimedJob, EndedJob, QueueCounts } from '../queue/job-queue.ts';
import type { Lane, WorkerKind, Workers } from '../workers/create-workers.ts';
import type { JobNeeds, JobNeedsStore } from '../workers/matching/job-needs.ts';
import { WorkerLost } from '../workers/remote-attempt.ts';
import { choosePutBack, type RunningJob } from './choose-put-back.ts';
import { type AttemptEnd, type AttemptParts, runAttempt } from './run-attempt.ts';

/** How often a server looks whether a job should make room for other accounts. */
const FAIRNESS_MS = 1000;

/** A worker takes the next job while the last one is finished here; so many may be at that. */
const MAX_FINISHING = 64;

/** How often a worker, or the process of a job, may end while it runs the job before the job is taken to be the reason. */
const MAX_CRASHES = 2;
/** For so long, a job that was lost at a worker waits for another one. */
const OTHERS_MS = 60_000;

/** Shorter than the poll of the loop, which finds what another server could not announce. */
const EMPTY_MS = 900;
/** Why an attempt is ended. */
const AWAY = new Error('This server was away for longer than its leases.');

export interface RunsParts extends AttemptParts {
  readonly queue: JobQueue;
  readonly live: LiveJobs;
  readonly workers: Pick<
    Workers,
    | 'avoided'
    | 'hasMoreMemory'
    | 'hasReady'
    | 'hasUnloaded'
    | 'kinds'
    | 'load'
    | 'passedOver'
    | 'size'
    | 'take'
    | 'unable'
  >;
  readonly needs: Pick<JobNeedsStore, 'get' | 'put'>;
  readonly clock: Clock;
  /** How long an account may wait while another has more than its share of the lanes, and how long a job runs before it makes room. */
  readonly sliceMs: number;
  readonly statusOf: (userId: string, jobId: string) => Promise<JobStatus | undefined>;
  readonly onStatus: (userId: string, counts: QueueCounts) => void;
  /** Says how a job ended whose live job is over already. */
  readonly tellEnded: (job: ClaimedJob, event: KeptEvent, counts: QueueCounts) => void;
  /** Says how a job ended to those who watch on this server. */
  readonly tellHere: (job: ClaimedJob, event: KeptEvent) => void;
  readonly onStarted: (jobId: string) => void;
  readonly onWorkerLost: (
    error: WorkerLost,
    at: { readonly jobId: string; readonly worker: string | undefined },
  ) => void;
  readonly cancel: (job: ClaimedJob) => Promise<void>;
  /** A job that a lost runner had for the third time. */
  readonly onLost: (job: EndedJob) => void;
  /** A job with a webhook has ended: a delivery may be due. */
  readonly onEnded: () => void;
}

export interface Runs {
  /** Goes on with an attempt that another server has begun, and whose worker has come here. */
  takeOver(job: ClaimedJob, needs: JobNeeds, lane: Lane): void;
  /** There may be something to run. */
  wake(): void;
  /** A worker is ready for a job. */
  workerReady(): void;
  /** Stops the attempt at a job whose row has ended already. */
  stop(jobId: string): void;
  /** Ends every attempt in silence and gives the jobs back: this server was away, and they may be somebody else's. */
  leaveAll(): void;
  start(): void;
  /** Claims nothing more, and gives back what runs. May be called again. */
  close(): Promise<void>;
}

interface RunningAttempt extends RunningJob {
  readonly job: ClaimedJob;
  readonly needs: JobNeeds;
  /** Where it runs; known at once when it was taken over from another server. */
  lane: Lane | undefined;
  /** Its worker is done with it: what is left is to keep its files and to write its end. */
  isFinishing: boolean;
  /** It was stopped for the sake of other accounts. */
  makesRoom: boolean;
}

/** Takes jobs from the queue as long as a worker is ready, and sees each to its end. */
export function createRuns(parts: RunsParts): Runs {
  const { queue, live, workers, clock, onError } = parts;
  const running = new Map<string, RunningAttempt>();
  /** Jobs that were cancelled while a claim was under way, which may come back with one of them. */
  const stopped = new Set<string>();
  let isClaiming = false;
  /** Nothing waits as far as this server knows. Without it every job would be followed by two claims in vain. */
  let emptyUntil = Number.NEGATIVE_INFINITY;
  let isClosing = false;
  let stopFairness = async (): Promise<void> => {};

  const loop = createWorkLoop<RunningAttempt>(
    {
      clock,
      onError,
      async claim(begin) {
        isClaiming = true;
        try {
          for (let job = await claimOne(); job; job = await claimOne()) {
            begin(toAttempt(job, await parts.needs.get(job.needs)));
          }
        } finally {
          isClaiming = false;
          stopped.clear();
        }
      },
      run: see,
      async renew(attempts) {
        const own = await queue.renew(attempts.map(({ job }) => job));
        return new Set(attempts.filter(({ job }) => own.has(job.id)));
      },
      async recover() {
        const { returned, failed } = await queue.recover(loop.running().map(({ job }) => job));
        for (const job of failed) parts.onLost(job);
        if (returned > 0) emptyUntil = Number.NEGATIVE_INFINITY;
        return returned > 0;
      },
      endsAtClose: () => true,
    },
    { heartbeatMs: HEARTBEAT_MS, sweepMs: SWEEP_MS },
  );

  /** A job is claimed only when it can begin: an attempt that waits for its worker would be lost with the server. */
  async function claimOne(): Promise<ClaimedJob | undefined> {
    if (isClosing || running.size >= workers.size() + MAX_FINISHING) return undefined;
    if (performance.now() < emptyUntil) return undefined;
    const unable = workers.unable();
    const job = workers.hasReady() ? await claimPreferred(unable) : undefined;
    if (job) return job;
    // A worker that has not said yet what it can run may be the one that a job waits for.
    const mayHelp = workers.hasUnloaded() && (workers.size() === 0 || unable.length > 0);
    if (mayHelp && (await queue.mayClaim())) workers.load();
    return undefined;
  }

  /** By preference a job whose models are loaded at a worker that is ready. */
  async function claimPreferred(unable: readonly string[]): Promise<ClaimedJob | undefined> {
    const avoided = workers.avoided();
    emptyUntil = performance.now() + EMPTY_MS;
    const job = await queue.claim([...unable, ...avoided]);
    // What waits for another worker, or was passed over, is still there.
    if (job || unable.length > 0 || avoided.length > 0) emptyUntil = Number.NEGATIVE_INFINITY;
    if (job) workers.passedOver(avoided);
    else if (avoided.length > 0) return await queue.claim(unable);
    return job;
  }

  function toAttempt(job: ClaimedJob, needs: JobNeeds, lane?: Lane): RunningAttempt {
    const { userId, putBacks } = job;
    return { job, needs, lane, userId, putBacks, startedAt: clock(), isFinishing: false, makesRoom: false };
  }

  /** Sees a claimed job to its end, on a lane that it takes before anything else happens. */
  async function see(own: RunningAttempt, signal: AbortSignal): Promise<void> {
    const { job, needs } = own;
    own.lane ??= workers.take(job.userId, needs, job.needs);
    const { lane } = own;
    let watched: LiveJob | undefined;
    let hasBegun = false;
    let isLast = false;
    try {
      if (stopped.delete(job.id)) return;
      // Its needs were not known when it was claimed, or its worker has left since.
      if (!lane || isClosing) {
        await queue.giveBack(job);
        return;
      }
      running.set(job.id, own);
      watched = live.begin({ ...job, worker: lane.worker.name });
      parts.onStarted(job.id);
      parts.onStatus(job.userId, job.counts);
      hasBegun = true;
      const onOutcome = (): void => {
        own.isFinishing = true;
      };
      const hasMoreMemory = (): boolean =>
        needs.memoryAbove === undefined && workers.hasMoreMemory(needs, lane.worker.memoryBytes);
      const mayCrash = (needs.crashes ?? 0) + 1 < MAX_CRASHES;
      const ended = await runAttempt(parts, {
        job,
        live: watched,
        lane,
        signal,
        hasMoreMemory,
        mayCrash,
        onOutcome,
      });
      if (ended) isLast = (await finish(job, watched, ended, signal)) === 0;
      else if (isClosing || signal.reason === AWAY) await queue.giveBack(job);
      else if (!own.makesRoom || !(await queue.giveBack(job, { makesRoom: true })))
        await tellIfCancelled(job, watched);
    } catch (error) {
      if (error instanceof WorkerLost) {
        await lose(own, error);
        return;
      }
      // Nothing of it has run, so this is not a try. What has run is one, and waits for its lease: an end that cannot be written
      // would be tried forever.
      if (!hasBegun) await queue.giveBack(job).catch(onError);
      throw error;
    } finally {
      // Its account may begin another job now, or this one again.
      if (!isLast) emptyUntil = Number.NEGATIVE_INFINITY;
      if (running.get(job.id) === own) running.delete(job.id);
      watched?.end();
      lane?.release();
    }
  }

  async function lose({ job, needs, lane }: RunningAttempt, error: WorkerLost): Promise<void> {
    if (!isClosing) parts.onWorkerLost(error, { jobId: job.id, worker: lane?.worker.name });
    if (isClosing || error.reason === 'returned') {
      await queue.giveBack(job);
      return;
    }
    // Somebody else interrupts a job once. A node does it every time, and then the job ends as it would at ComfyUI.
    if (error.reason === 'interrupted' && needs.wasInterrupted) {
      await parts.cancel(job);
      return;
    }
    const crashes = (needs.crashes ?? 0) + (error.reason === 'crash' || error.reason === 'device' ? 1 : 0);
    const retry: JobNeeds = {
      ...needs,
      ...(lane && {
        lostAt: [...new Set(needs.lostAt).add(lane.worker.name)],
        othersUntil: clock() + OTHERS_MS,
      }),
      ...(lane && error.reason === 'memory' && { memoryAbove: lane.worker.memoryBytes }),
      ...(crashes > 0 && { crashes }),
      ...(error.reason === 'interrupted' && { wasInterrupted: true }),
    };
    const giveUp =
      crashes < MAX_CRASHES
        ? undefined
        : `This job was lost ${MAX_CRASHES} times by the trouble of a worker, the last time with: ${error.message}`;
    const { failed } = await queue.lose(job, { needs: await parts.needs.put(retry), giveUp });
    for (const each of failed) parts.onLost(each);
  }

  /** Somebody else ended the attempt. When it was another server, and it could not say so, the watchers here do not know yet. */
  async function tellIfCancelled(job: ClaimedJob, watched: LiveJob): Promise<void> {
    if ((await parts.statusOf(job.userId, job.id)) !== 'cancelled') return;
    if (live.get(job.id) !== watched) return;
    const data = watched.interruption(clock());
    const event = watched.keptWith({ type: 'execution_interrupted', data }).at(-1);
    watched.end();
    if (event) parts.tellHere(job, event);
  }

  /** Returns how many jobs of the account wait, if this has ended one. */
  async function finish(
    job: ClaimedJob,
    watched: LiveJob,
    { end, message }: AttemptEnd,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const counts = await throughOutages(async () => await queue.finish(job, end), { signal, onError });
    // Cancelled in the meantime, or given to another runner.
    if (!counts) return undefined;
    const event = watched.keptWith(message).at(-1);
    if (live.get(job.id) === watched) {
      watched.tell(message);
      parts.onStatus(job.userId, counts);
    } else if (event) {
      // The server was away while the end was written.
      parts.tellEnded(job, event, counts);
    }
    if (job.hasWebhook) parts.onEnded();
    return counts.waiting;
  }

  /** Puts a job back when one account has the lanes that another has waited for too long. */
  async function makeRoom(): Promise<void> {
    for (const kind of workers.kinds()) await makeRoomAt(kind);
  }

  async function makeRoomAt({ slots: lanes, instances, unable }: WorkerKind): Promise<void> {
    const held = [...running.values()].filter(
      ({ lane, isFinishing }) => lane && instances.has(lane.worker.instance) && !isFinishing,
    );
    if (held.length === 0 || held.length < lanes) return;
    if (held.some(({ makesRoom }) => makesRoom)) return;
    // As many as could all have a lane here, and as many again that could be next.
    const waiting = await queue.listWaiting(2 * lanes, unable);
    const { sliceMs } = parts;
    const chosen = choosePutBack({ lanes, running: held, waiting, sliceMs, now: clock() });
    if (!chosen || isClosing) return;
    chosen.makesRoom = true;
    loop.abort(chosen);
  }

  return {
    wake() {
      emptyUntil = Number.NEGATIVE_INFINITY;
      loop.wake();
    },
    workerReady: loop.wake,
    takeOver: (job, needs, lane) => loop.begin(toAttempt(job, needs, lane)),
    stop(jobId) {
      const attempt = running.get(jobId);
      if (attempt) loop.abort(attempt);
      else if (isClaiming) stopped.add(jobId);
    },
    leaveAll() {
      for (const [jobId, attempt] of running) {
        live.get(jobId)?.end();
        loop.abort(attempt, AWAY);
      }
    },
    start() {
      loop.start();
      stopFairness = repeatEvery(FAIRNESS_MS, makeRoom, onError);
    },
    async close() {
      isClosing = true;
      await stopFairness();
      await loop.close();
    },
  };
}
