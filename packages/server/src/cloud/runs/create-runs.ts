import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { throughOutages } from '../../platform/errors/outages.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';
import { createWorkLoop } from '../../platform/work/work-loop.ts';
import type { KeptEvent, LiveJob, LiveJobs } from '../events/live-jobs.ts';
import { HEARTBEAT_MS, type JobQueue, SWEEP_MS } from '../queue/create-job-queue.ts';
import type { ClaimedJob, EndedJob, QueueCounts } from '../queue/job-queue.ts';
import type { Lane, Workers } from '../workers/create-workers.ts';
import type { JobNeeds, JobNeedsStore } from '../workers/matching/job-needs.ts';
import { WorkerLost } from '../workers/remote-attempt.ts';
import { choosePutBack, type RunningJob } from './choose-put-back.ts';
import { type AttemptEnd, type AttemptParts, runAttempt } from './run-attempt.ts';

/** How often a server checks whether a job should make room for other accounts. */
const FAIRNESS_MS = 1000;

/** A worker takes its next job while the server finishes the last one; the server finishes at most this many at a time. */
const MAX_FINISHING = 64;

/** A job fails when a worker, or the process that ran it, has crashed this often while running it. */
const MAX_CRASHES = 2;
/** How long a job that a worker lost waits for another worker. */
const OTHERS_MS = 60_000;

/** Shorter than the poll of the loop, which finds jobs that another server could not announce. */
const EMPTY_MS = 900;
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
  /** How long an account may wait while another has more than its share of the lanes, and how long a job runs before it makes room. */
  readonly sliceMs: number;
  readonly statusOf: (userId: string, jobId: string) => Promise<JobStatus | undefined>;
  readonly onStatus: (userId: string, counts: QueueCounts) => void;
  /** Announces the end of a job whose live job is already over. */
  readonly tellEnded: (job: ClaimedJob, event: KeptEvent, counts: QueueCounts) => void;
  /** Announces the end of a job to the watchers on this server. */
  readonly tellHere: (job: ClaimedJob, event: KeptEvent) => void;
  readonly onStarted: (jobId: string) => void;
  readonly onWorkerLost: (
    error: WorkerLost,
    at: { readonly jobId: string; readonly worker: string | undefined },
  ) => void;
  readonly cancel: (job: ClaimedJob) => Promise<void>;
  /** Called when a job was lost too often and has failed. */
  readonly onLost: (job: EndedJob) => void;
  /** Called when a job with a webhook has ended: a delivery may be due. */
  readonly onEnded: () => void;
}

interface RunningAttempt extends RunningJob {
  readonly job: ClaimedJob;
  readonly needs: JobNeeds;
  /** Where it runs; known from the start when it was taken over from another server. */
  lane: Lane | undefined;
  /** Its worker is done; the server still has to keep its files and write its end. */
  isFinishing: boolean;
  makesRoom: boolean;
}

/** Takes jobs from the queue as long as a worker is ready, and sees each to its end. */
export function createRuns(parts: RunsParts) {
  const { queue, live, workers, clock, onError } = parts;
  const running = new Map<string, RunningAttempt>();
  /** Jobs that were cancelled during a claim, which may still return one of them. */
  const stopped = new Set<string>();
  let isClaiming = false;
  /** Until then, nothing waits as far as this server knows. Without this, two useless claims would follow every job. */
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

  /** Claims a job only when it can begin: an attempt that waits for its worker would be lost with the server. */
  async function claimOne(): Promise<ClaimedJob | undefined> {
    if (isClosing || running.size >= workers.size() + MAX_FINISHING) return undefined;
    if (performance.now() < emptyUntil) return undefined;
    const unable = workers.unable();
    const job = workers.hasReady() ? await claimPreferred(unable) : undefined;
    if (job) return job;
    // A worker that has not reported its node types yet may be the one that a job waits for.
    const mayHelp = workers.hasUnloaded() && (workers.size() === 0 || unable.length > 0);
    if (mayHelp && (await queue.mayClaim())) workers.load();
    return undefined;
  }

  /** Prefers a job whose models are loaded at a ready worker. */
  async function claimPreferred(unable: readonly string[]): Promise<ClaimedJob | undefined> {
    const avoided = workers.avoided();
    emptyUntil = performance.now() + EMPTY_MS;
    const job = await queue.claim([...unable, ...avoided]);
    // Jobs that wait for another worker, or were passed over, are still there.
    if (job || unable.length > 0 || avoided.length > 0) emptyUntil = Number.NEGATIVE_INFINITY;
    if (job) workers.passedOver(avoided);
    else if (avoided.length > 0) return await queue.claim(unable);
    return job;
  }

  function toAttempt(job: ClaimedJob, needs: JobNeeds, lane?: Lane): RunningAttempt {
    const { userId, putBacks } = job;
    return { job, needs, lane, userId, putBacks, startedAt: clock(), isFinishing: false, makesRoom: false };
  }

  /** Sees a claimed job to its end, on a lane that it takes before anything else. */
  async function see(own: RunningAttempt, signal: AbortSignal): Promise<void> {
    const { job, needs } = own;
    own.lane ??= workers.take(job.userId, needs, job.needs);
    const { lane } = own;
    let watched: LiveJob | undefined;
    let hasBegun = false;
    let isLast = false;
    try {
      if (stopped.delete(job.id)) return;
      // Its needs were unknown when it was claimed, or its worker has left since.
      if (!lane || isClosing) {
        await queue.giveBack(job);
        return;
      }
      running.set(job.id, own);
      watched = live.begin({ ...job, worker: lane.worker.name });
      parts.onStarted(job.id);
      parts.onStatus(job.userId, job.counts);
      hasBegun = true;
      const ended = await runAttempt(parts, {
        job,
        live: watched,
        lane,
        signal,
        hasMoreMemory: () =>
          needs.memoryAbove === undefined && workers.hasMoreMemory(needs, lane.worker.memoryBytes),
        mayCrash: (needs.crashes ?? 0) + 1 < MAX_CRASHES,
        onOutcome() {
          own.isFinishing = true;
        },
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
      // Nothing has run, so the attempt does not count. One that has run counts, and waits for its lease: otherwise a job whose
      // end cannot be written would run forever.
      if (!hasBegun) await queue.giveBack(job).catch(onError);
      throw error;
    } finally {
      // The account can start another job now, or this one again.
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
    // An outsider interrupts a job once; a node does so every time, and then the job ends as it would in ComfyUI.
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
        : `Workers failed ${MAX_CRASHES} times while running this job. The last error: ${error.message}`;
    const { failed } = await queue.lose(job, { needs: await parts.needs.put(retry), giveUp });
    for (const each of failed) parts.onLost(each);
  }

  /** Another server that cancelled the job may have failed to announce it, so the watchers here do not know yet. */
  async function tellIfCancelled(job: ClaimedJob, watched: LiveJob): Promise<void> {
    if ((await parts.statusOf(job.userId, job.id)) !== 'cancelled') return;
    if (live.get(job.id) !== watched) return;
    const data = watched.interruption(clock());
    const event = watched.keptWith({ type: 'execution_interrupted', data }).at(-1);
    watched.end();
    if (event) parts.tellHere(job, event);
  }

  /** Writes the end. Returns how many jobs of the account wait, or `undefined` when the attempt no longer belongs to this server. */
  async function finish(
    job: ClaimedJob,
    watched: LiveJob,
    { end, message }: AttemptEnd,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const counts = await throughOutages(async () => await queue.finish(job, end), { signal, onError });
    if (!counts) return undefined;
    const event = watched.keptWith(message).at(-1);
    if (live.get(job.id) === watched) {
      watched.tell(message);
      parts.onStatus(job.userId, counts);
    } else if (event) {
      // The server was suspended while the end was written.
      parts.tellEnded(job, event, counts);
    }
    if (job.hasWebhook) parts.onEnded();
    return counts.waiting;
  }

  /** Puts a job back when one account holds the lanes that another has waited for too long. */
  async function makeRoom(): Promise<void> {
    for (const { slots: lanes, instances, unable } of workers.kinds()) {
      const held = [...running.values()].filter(
        ({ lane, isFinishing }) => lane && instances.has(lane.worker.instance) && !isFinishing,
      );
      if (held.length === 0 || held.length < lanes || held.some((each) => each.makesRoom)) continue;
      // As many as could each have a lane here, and as many again that could be next.
      const waiting = await queue.listWaiting(2 * lanes, unable);
      const { sliceMs } = parts;
      const chosen = choosePutBack({ lanes, running: held, waiting, sliceMs, now: clock() });
      if (!chosen || isClosing) continue;
      chosen.makesRoom = true;
      loop.abort(chosen);
    }
  }

  return {
    /** Call it when a job may be waiting. */
    wake(): void {
      emptyUntil = Number.NEGATIVE_INFINITY;
      loop.wake();
    },
    workerReady: loop.wake,
    /** Continues an attempt that another server has begun and whose worker has connected to this one. */
    takeOver: (job: ClaimedJob, needs: JobNeeds, lane: Lane) => loop.begin(toAttempt(job, needs, lane)),
    /** Stops the attempt at a job whose row already has its end. */
    stop(jobId: string): void {
      const attempt = running.get(jobId);
      if (attempt) loop.abort(attempt);
      else if (isClaiming) stopped.add(jobId);
    },
    /** Aborts every attempt silently and gives the jobs back: this server was suspended, and another one may have them. */
    leaveAll(): void {
      for (const [jobId, attempt] of running) {
        live.get(jobId)?.end();
        loop.abort(attempt, AWAY);
      }
    },
    start(): void {
      loop.start();
      stopFairness = repeatEvery(FAIRNESS_MS, makeRoom, onError);
    },
    /** Claims nothing more, and gives back what runs. May be called again. */
    async close(): Promise<void> {
      isClosing = true;
      await stopFairness();
      await loop.close();
    },
  };
}
