import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { WorkerJob } from '@atelier/contracts';
import { type EngineEvent, type Outcome, parseJson, toJson } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { DISK_FULL, isDiskFull, throughOutages } from '../../platform/errors/outages.ts';
import { keptEventsJson } from '../events/kept-events-json.ts';
import type { LiveJob } from '../events/live-jobs.ts';
import { isFinal } from '../events/messages.ts';
import { isStorageFull } from '../files/create-user-files.ts';
import type { NodeOutput, UserFiles } from '../files/user-files.ts';
import type { PartnerKeys } from '../partner-keys.ts';
import type { JobQueue } from '../queue/create-job-queue.ts';
import { jobFailure } from '../queue/job-failure.ts';
import type { ClaimedJob, JobEnd } from '../queue/job-queue.ts';
import type { Lane } from '../workers/create-workers.ts';
import type { WorkerFiles } from '../workers/files/worker-files.service.ts';
import { AttemptRefused, type CurrentNode, WorkerLost } from '../workers/remote-attempt.ts';
import { describeOutputs } from './describe-outputs.ts';
import { createSerialQueue } from './serial-queue.ts';

export interface AttemptParts {
  readonly queue: Pick<JobQueue, 'holds' | 'runsAt'>;
  readonly clock: Clock;
  readonly files: UserFiles;
  readonly workerFiles: Pick<WorkerFiles, 'accessTo'>;
  readonly partnerKeys: Pick<PartnerKeys, 'open'>;
  readonly onError: (error: unknown) => void;
}

interface AttemptOptions {
  readonly job: ClaimedJob;
  readonly live: LiveJob;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** Whether a worker with more memory could run it. */
  readonly hasMoreMemory: () => boolean;
  /** Whether it may be tried once more if the process that runs it ends. */
  readonly mayCrash: boolean;
  /** Called when the worker is done with it. */
  readonly onOutcome: () => void;
}

/** The end of an attempt for its row, and the message to send once the row is written. */
export interface AttemptEnd {
  readonly end: JobEnd;
  readonly message: EngineEvent;
}

/** Runs one attempt. `undefined` when it was stopped from outside, which also decides its end. Throws `WorkerLost` when its worker did not finish it. */
export async function runAttempt(
  parts: AttemptParts,
  { job, live, lane, signal, hasMoreMemory, mayCrash, onOutcome }: AttemptOptions,
): Promise<AttemptEnd | undefined> {
  const { files, queue, onError } = parts;
  const steps = createSerialQueue();
  const key = job.partnerKey ? parts.partnerKeys.open(job.id, job.partnerKey) : undefined;
  const clean = createCleaner(key);
  let final: EngineEvent | undefined;

  const tell = (event: EngineEvent): Promise<void> | undefined => {
    if (event.type !== 'executed' || event.data.output === null || !namesFiles(event.data.output)) {
      live.tell(event);
      return undefined;
    }
    // A watcher may request a file as soon as it learns of it.
    return keep(event.data.node, event.data.output).then(() => live.tell(event));
  };

  const keep = async (node: string, output: NodeOutput): Promise<void> => {
    // Waiting does not help when the disk is full: the files of this job may be what fills it.
    const outages = ['server.database', 'server.file_store'] as const;
    const [missing] = await throughOutages(async () => await files.keep(job, node, output), {
      signal,
      onError,
      outages,
    });
    // A local node may name any file; a remote worker must have sent it.
    if (!missing || lane.isLocal) return;
    const { name } = lane.worker;
    const why = `The worker ${name} named ${missing.fileName} as an output, but it did not send the file.`;
    const error = new WorkerLost('gone', why);
    lane.blame(job, error);
    throw error;
  };

  /** Keeps the files that the end names but no event did. */
  const keepRest = async (outputs: Outcome['outputs']): Promise<void> => {
    if (lane.isLocal) return;
    const shown = live.outputs();
    for (const [node, output] of Object.entries(outputs)) {
      if (namesFiles(output) && !isDeepStrictEqual(output, shown[node])) await keep(node, output);
    }
  };

  const onEvent = (given: EngineEvent): void => {
    const event = clean(given);
    if (isFinal(event)) {
      final = event;
      return;
    }
    steps.add(() => {
      if (queue.holds(job)) return tell(event);
      // Another server may have it: progress is dropped, the rest waits until the lease is renewed or the attempt is aborted.
      return isProgress(event) ? undefined : untilHeld(queue, job, signal).then(() => tell(event));
    });
  };

  /** The end of an attempt that failed outside of its nodes. What it showed before is kept. */
  const fail = (exception_type: string, message: string, node?: CurrentNode): AttemptEnd => {
    const timestamp = parts.clock();
    const failure = { timestamp, ...node, exception_type, exception_message: `${message}\n` };
    const error = jobFailure(job.id, failure);
    const event: EngineEvent = { type: 'execution_error', data: error };
    const outputs = live.outputs() as Outcome['outputs'];
    return {
      end: toEnd({ status: 'error', outputs, meta: {}, executed: [], error }, live, event),
      message: event,
    };
  };

  let outcome: Outcome;
  try {
    const prepare = async (): Promise<WorkerJob> => {
      await files.assertRoom(job.userId);
      return await toWorkerJob(parts, job, { key, lane });
    };
    const workerJob = await throughOutages(prepare, { signal, onError });
    const id = `${job.id}/${job.attempt}`;
    try {
      outcome = clean(await lane.run(id, { job: workerJob, signal, onEvent }));
    } catch (error) {
      // The job may end here, so what it showed before is kept.
      if (error instanceof AttemptRefused || (error instanceof WorkerLost && error.reason === 'interrupted'))
        await steps.done();
      throw error;
    }
    onOutcome();
    await steps.done();
    await keepRest(outcome.outputs);
    const { exception_type: type, exception_message: message = '' } = outcome.error ?? {};
    if (type === OUT_OF_MEMORY && !outcome.failsEverywhere && hasMoreMemory())
      throw new WorkerLost('memory', message);
    // Something else may have ended the process, such as the system when memory is short.
    if (type === PROCESS_ENDED && mayCrash) throw new WorkerLost('crash', message.trim());
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof WorkerLost) {
      if (error.reason !== 'memory' || hasMoreMemory()) throw error;
      return fail(OUT_OF_MEMORY, error.message);
    }
    if (error instanceof AttemptRefused) return fail('ValueError', clean(error.message), error.node);
    if (isStorageFull(error)) return fail('StorageFull', error.message);
    onError(error);
    if (isDiskFull(error)) return fail('DiskFull', DISK_FULL);
    return fail('ServiceError', 'The job could not be run: something failed inside the server.');
  }
  if (outcome.status === 'interrupted' || !final) return undefined;
  if (outcome.error && DISK_FULL_TYPES.has(outcome.error.exception_type)) {
    onError(new AppError('server.disk_full', DISK_FULL, { cause: outcome.error.exception_message }));
    // The message of the node's library names a path on this machine.
    const error = { ...outcome.error, exception_type: 'DiskFull', exception_message: `${DISK_FULL}\n` };
    final = { type: 'execution_error', data: error };
    outcome = { ...outcome, error };
  }
  return { end: toEnd(outcome, live, final), message: final };
}

/** ComfyUI's name for it. */
const OUT_OF_MEMORY = 'OOMError';
const PROCESS_ENDED = 'PanicError';

/** The disk of the server, as it or a remote worker reports it. A remote worker whose own disk is full loses the attempt. */
const DISK_FULL_TYPES = new Set(['DiskFull', 'ServerDiskFull']);

const HELD_LOOK_MS = 250;

async function untilHeld(queue: AttemptParts['queue'], job: ClaimedJob, signal: AbortSignal): Promise<void> {
  while (!queue.holds(job)) await delay(HELD_LOOK_MS, undefined, { signal });
}

/** Events that the next one replaces. */
function isProgress(event: EngineEvent): boolean {
  if (event.type === 'node_progress') return event.data.state === 'running';
  return event.type === 'progress' || event.type === 'text';
}

function namesFiles(output: NodeOutput): boolean {
  return Object.values(output).some((items) =>
    items.some((item) => typeof item === 'object' && item !== null && 'filename' in item),
  );
}

async function toWorkerJob(
  { files, workerFiles, queue }: AttemptParts,
  job: ClaimedJob,
  { key, lane }: { readonly key: string | undefined; readonly lane: Lane },
): Promise<WorkerJob> {
  const { extraData } = job;
  if (!lane.isLocal) await queue.runsAt(job, lane.worker.instance);
  const folders = lane.isLocal ? await files.places.foldersOf(job.userId) : undefined;
  return {
    jobId: job.id,
    graph: job.graph,
    targets: JSON.parse(job.targets) as string[],
    order: JSON.parse(job.nodeOrder) as string[],
    extraData:
      key === undefined ? extraData : toJson({ ...(parseJson(extraData) as object), api_key_comfy_org: key }),
    scope: job.userId,
    files: folders ? { kind: 'folders', folders } : await workerFiles.accessTo(job),
  };
}

function toEnd(outcome: Outcome, live: LiveJob, final: EngineEvent): JobEnd {
  return {
    status: outcome.status === 'success' ? 'completed' : 'failed',
    outputs: toJson(outcome.outputs),
    meta: toJson(outcome.meta),
    events: keptEventsJson(live.keptWith(final)),
    timeline: JSON.stringify(live.timeline()),
    error: outcome.error ? toJson(outcome.error) : null,
    ...describeOutputs(outcome.outputs),
  };
}

/** A node may repeat the key it was given, most likely in the error of a failed request. Nobody else may read it. */
function createCleaner(key: string | undefined): <T>(value: T) => T {
  if (key === undefined) return (value) => value;
  const cleanText = (text: string): string => text.replaceAll(key, '[REDACTED]');
  const cleanAll = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(cleanAll);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), cleanAll(item)]));
  };
  return <T>(value: T) => cleanAll(value) as T;
}
