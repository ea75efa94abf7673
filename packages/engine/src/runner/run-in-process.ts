import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../execute/run-graph.ts';
import { removeScratch } from '../folder-files.ts';
import type { JobWatch } from './job-watch.ts';
import type { RunnerJob } from './runner-messages.ts';
import type { RunnerProcess } from './runner-process.ts';

/** A cancel must take effect within 100 ms, so a process that has not stopped by then is killed. */
const GRACE_MS = 60;
const MEMORY_CHECK_MS = 250;
/** Code, libraries and garbage that V8 has not collected yet. */
const OVERHEAD_BYTES = 512 * 2 ** 20;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface InProcess {
  readonly watch: JobWatch;
  readonly signal: AbortSignal | undefined;
  readonly memoryBytes: number;
  readonly jobMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The process ended before it had the job. */
export class NeverBegun extends Error {
  override readonly name = 'NeverBegun';
}

export async function runInProcess(own: RunnerProcess, job: RunnerJob, options: InProcess): Promise<Outcome> {
  const { watch, signal, memoryBytes, jobMs, env } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const timers: NodeJS.Timeout[] = [];
  const scratch = randomUUID();
  const cancelFile = join(tmpdir(), `atelier-cancel-${scratch}`);
  let marked: Promise<void> | undefined;
  let hasBegun = false;

  /** Asks the job to stop, and kills its process when it does not. */
  function stop(): void {
    // Where it cannot be written, the process is killed below.
    marked = writeFile(cancelFile, '').catch(() => {});
    own.post({ kind: 'cancel' });
    const leave = (): void => {
      own.kill();
      resolve(watch.interrupted());
    };
    timers.push(setTimeout(leave, GRACE_MS));
  }
  function die(error: Error): void {
    own.kill();
    if (own.ranOutOfHeap()) resolve(watch.outOfHeap());
    else if (hasBegun) resolve(watch.died(error));
    else reject(new NeverBegun(error.message, { cause: error }));
  }
  const listening = own.listen((message) => {
    try {
      if (message.kind === 'begun') hasBegun = true;
      if (message.kind === 'events' || message.kind === 'done') message.events.forEach(watch.event);
      if (message.kind === 'done') resolve(watch.done(message.outcome));
      else if (message.kind === 'fault') die(new Error(message.message));
    } catch (error) {
      // The caller's own listener failed.
      own.kill();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }, die);
  async function checkMemory(): Promise<void> {
    const bytes = await residentBytes(own.child.pid);
    if (bytes <= memoryBytes * 1.25 + OVERHEAD_BYTES) return;
    own.kill();
    resolve(watch.overMemory(memoryBytes));
  }

  try {
    signal?.addEventListener('abort', stop, { once: true });
    timers.push(setInterval(() => void checkMemory(), MEMORY_CHECK_MS));
    if (jobMs <= MAX_TIMER_MS) {
      const late = (): void => {
        watch.overTime(jobMs);
        stop();
      };
      timers.push(setTimeout(late, jobMs));
    }
    own.post({ kind: 'run', job, run: listening.run, env, scratch, cancelFile });
    if (signal?.aborted) stop();
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    listening.stop();
    if (own.isOver()) {
      own.kill();
      // A process that ends in the middle of a job cannot tidy up.
      const scratchIn = 'folders' in job ? job.folders.temp : job.remoteFiles.scratchIn;
      const tidyUp = () => void removeScratch(scratchIn, scratch);
      if (own.isGone()) tidyUp();
      else own.child.once('exit', tidyUp);
    }
    marked?.then(async () => await rm(cancelFile, { force: true })).catch(() => {});
  }
}

/** Known on Linux only; elsewhere the bounds of heap and arena remain. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
