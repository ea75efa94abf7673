import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../execute/run-graph.ts';
import { removeScratch } from '../folder-files.ts';
import type { JobWatch } from './job-watch.ts';
import type { FromProcess, RunnerJob } from './runner-messages.ts';
import type { RunnerProcess } from './runner-process.ts';

/** A job that was asked to stop has so long before its process is killed: a cancel takes effect within 100 ms. */
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
  const { child } = own;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const timers: NodeJS.Timeout[] = [];
  const scratch = randomUUID();
  const cancelFile = join(tmpdir(), `atelier-cancel-${scratch}`);
  own.jobs += 1;
  const run = own.jobs;
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
  function onMessage(message: FromProcess): void {
    try {
      if (!('run' in message) || (message.run ?? run) !== run) return;
      if (message.kind === 'begun') hasBegun = true;
      if (message.kind === 'events' || message.kind === 'done') message.events.forEach(watch.event);
      if (message.kind === 'done') resolve(watch.done(message.outcome));
      else if (message.kind === 'fault') die(new Error(message.message));
    } catch (error) {
      // The caller's own listener failed.
      own.kill();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
  async function checkMemory(): Promise<void> {
    const bytes = await residentBytes(child.pid);
    if (bytes <= memoryBytes * 1.25 + OVERHEAD_BYTES) return;
    own.kill();
    resolve(watch.overMemory(memoryBytes));
  }
  // After its last words on stderr.
  const onClose = (_code: number | null, signalName: NodeJS.Signals | null): void =>
    die(new Error(signalName ? `it was ended by ${signalName}.` : 'it ended.'));

  try {
    child.on('message', onMessage);
    child.on('error', die);
    child.on('close', onClose);
    signal?.addEventListener('abort', stop, { once: true });
    timers.push(setInterval(() => void checkMemory(), MEMORY_CHECK_MS));
    if (jobMs <= MAX_TIMER_MS) {
      const late = (): void => {
        watch.overTime(jobMs);
        stop();
      };
      timers.push(setTimeout(late, jobMs));
    }
    own.post({ kind: 'run', job, run, env, scratch, cancelFile });
    if (signal?.aborted) stop();
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    child.off('message', onMessage);
    child.off('error', die);
    child.off('close', onClose);
    if (own.isOver()) {
      own.kill();
      // A process that ends in the middle of a job cannot tidy up.
      const scratchIn = 'folders' in job ? job.folders.temp : job.remoteFiles.scratchIn;
      onceGone(own, () => void removeScratch(scratchIn, scratch));
    }
    marked?.then(async () => await rm(cancelFile, { force: true })).catch(() => {});
  }
}

function onceGone({ child }: RunnerProcess, then: () => void): void {
  if (child.exitCode === null && child.signalCode === null) child.once('exit', then);
  else then();
}

/** What the process takes of the machine. Only Linux tells; elsewhere the bounds of heap and arena remain. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
