import type { ServerResponse } from 'node:http';

import { atMostEvery } from '../../platform/at-most-every.ts';
import type { AppError } from '../../platform/errors/app-error.ts';
import { openTextStream } from '../events/event-stream.ts';
import type { JobProgress } from '../events/job-progress.ts';
import type { LiveJobs } from '../events/live-jobs.ts';
import { isEnding, isEndMarker } from '../events/messages.ts';
import type { PictureEvent, PreviewEvent, UserEvent } from '../events/user-event.ts';

import { noteMessage } from './elsewhere-progress.ts';
import { errorFrame, outputFrame, previewFrame, progressFrame, statusFrame } from './frames.ts';
import type { JobLook } from './jobs.service.ts';

/** The contract allows about two progress and preview frames a second. */
const STEP_MS = 500;
/** The queue position may change with every job of the account. */
const PLACE_MS = 250;
const OF_PROGRESS = new Set(['progress', 'progress_state', 'executing', 'execution_cached']);
const OF_STATE = new Set(['execution_start', 'executed']);

interface Parts {
  readonly jobId: string;
  readonly live: LiveJobs;
  /** Reads the job, with outputs that were not sent yet; `undefined` when it is gone. */
  readonly look: () => Promise<JobLook | undefined>;
  /** For a job that another server runs. */
  readonly progressReader: () => Promise<JobProgress | undefined>;
  readonly onError: (error: unknown) => void;
}

/**
 * The stream of one job for the Comfy API v2. Status, outputs and the end are read from the database whenever a message says that they
 * may have changed, so nothing depends on which server runs the job or on missed messages. Only progress and previews come directly
 * from the bus.
 */
export function createJobStream({ jobId, live, look, progressReader, onError }: Parts) {
  let stream: ReturnType<typeof openTextStream> | undefined;
  let told: { readonly status: string; readonly place: number | null } | undefined;
  let elsewhere: JobProgress | undefined;
  let isElsewhereAsked = false;
  let picture: PreviewEvent | PictureEvent | undefined;
  let isLooking = false;
  let mustLookAgain = false;
  let isOver = false;

  const steps = atMostEvery(STEP_MS, () => {
    const progress = live.get(jobId)?.progress() ?? elsewhere?.read();
    if (progress && told?.status === 'running') stream?.push(progressFrame(jobId, progress));
  });
  const pictures = atMostEvery(STEP_MS, () => {
    if (picture) stream?.push(previewFrame(jobId, picture));
    picture = undefined;
  });
  const places = atMostEvery(PLACE_MS, () => void lookAgain());

  function stop(): void {
    isOver = true;
    mustLookAgain = false;
    for (const each of [steps, pictures, places]) each.stop();
  }

  function finish(job: JobLook | undefined): void {
    stop();
    // Without a final status, the reader asks for the job and gets 404.
    if (job) stream?.push(statusFrame(jobId, job.status, null));
    stream?.end('');
  }

  function tell(job: JobLook): void {
    const { status, queuePosition: place } = job;
    // Readers stop at the final status, so outputs come before it; and the first frame is always a status.
    const shown = job.hasEnded ? 'running' : status;
    const isDue = !job.hasEnded || (told === undefined && job.outputs.length > 0);
    if (isDue && (told?.status !== shown || (told.place !== place && !job.hasEnded))) {
      told = { status: shown, place };
      stream?.push(statusFrame(jobId, shown, place));
    }
    for (const output of job.outputs) stream?.push(outputFrame(jobId, output));
  }

  /** One read at a time: a request during a read causes another one after it. */
  async function lookAgain(): Promise<void> {
    if (isOver) return;
    mustLookAgain = true;
    if (!stream || isLooking) return;
    isLooking = true;
    try {
      while (mustLookAgain) {
        mustLookAgain = false;
        const job = await look();
        if (job) tell(job);
        if (!job || job.hasEnded) finish(job);
      }
    } catch (error) {
      // The next event or beat tries again.
      onError(error);
    } finally {
      isLooking = false;
    }
  }

  /** Called at the first progress of a job that runs on another server. */
  function askElsewhere(): void {
    if (isElsewhereAsked) return;
    isElsewhereAsked = true;
    progressReader()
      .then((reader) => {
        elsewhere = reader;
        steps.ask();
        return undefined;
      })
      .catch(onError);
  }

  function hear(event: UserEvent): void {
    if (isOver) return;
    if (event.jobId === undefined) {
      if (event.kind === 'message' && event.type === 'status' && told?.status === 'queued') places.ask();
      return;
    }
    if (event.jobId !== jobId || event.kind === 'text') return;
    if (event.kind !== 'message') {
      if (event.kind === 'preview' && event.layout === 'plain') return;
      picture = event;
      pictures.ask();
      return;
    }
    if (OF_STATE.has(event.type) || isEnding(event.type) || isEndMarker(event)) void lookAgain();
    if (!OF_PROGRESS.has(event.type) || isEndMarker(event)) return;
    if (!live.get(jobId)) {
      if (elsewhere) noteMessage(elsewhere, event);
      else askElsewhere();
    }
    steps.ask();
  }

  return {
    hear,
    stop,
    /** Starts the answer. `job` has the outputs so far. */
    open(raw: ServerResponse, job: JobLook): void {
      stream = openTextStream(raw);
      tell(job);
      if (job.hasEnded) {
        finish(job);
        return;
      }
      const running = live.get(jobId);
      if (!running && job.status === 'running') askElsewhere();
      if (running) steps.ask();
      const shown = running?.preview();
      if (shown) stream.push(previewFrame(jobId, { about: shown.data, bytes: shown.bytes }));
      // Something may have changed since `job` was read.
      if (mustLookAgain) void lookAgain();
    },
    beat(): void {
      stream?.beat();
      if (!live.get(jobId)) void lookAgain();
    },
    refuse(error: AppError): void {
      stop();
      stream?.push(errorFrame(jobId, error));
      stream?.end('');
    },
  };
}
