import type { ResourceLimits, Transferable } from 'node:worker_threads';
import type { FromThread, ToThread } from './answer-tasks.ts';
import { type PoolMember, startProcess, startThread } from './pool-member.ts';

const CPU_LOOK_MS = 500;

interface CommonOptions {
  /** A module that calls `answerTasks`. */
  readonly url: URL;
  readonly threads: number;
  /** How long a thread waits for the next task before it ends. */
  readonly idleMs: number;
  readonly deadlineMs?: number;
  /** Time for an aborted task to clean up before its thread is ended. */
  readonly graceMs?: number;
  readonly maxWaiting?: number;
}

interface ThreadOptions extends CommonOptions {
  readonly inProcesses?: false;
  /** CPU time of a task. Unlike a deadline, it does not depend on how busy the machine is. */
  readonly cpuMs?: number;
  readonly resourceLimits?: ResourceLimits;
}

interface ProcessOptions extends CommonOptions {
  /** For native libraries, whose crash must not reach this process. */
  readonly inProcesses: true;
}

interface RunOptions {
  readonly transfer?: readonly Transferable[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

export type ThreadOutcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'late' }
  | { readonly kind: 'died'; readonly error: Error };

export interface ThreadPool<Task, Answer> {
  /** Rejects when aborted by the signal or by `close`, and when too many tasks wait. */
  run(task: Task, options?: RunOptions): Promise<ThreadOutcome<Answer>>;
  close(): Promise<void>;
}

/**
 * Threads (or processes) start with the first task, stay warm for the next, and never keep the process alive while idle. A
 * thread that is late or dies takes only its own task with it: the next task gets a new thread.
 */
export function createThreadPool<Task, Answer>(
  pool: ThreadOptions | ProcessOptions,
): ThreadPool<Task, Answer> {
  const { url, threads, idleMs, deadlineMs, graceMs = 0, maxWaiting = 1000 } = pool;
  const cpuMs = pool.inProcesses ? undefined : pool.cpuMs;
  const start = () => (pool.inProcesses ? startProcess(url) : startThread(url, pool.resourceLimits ?? {}));
  const closing = new AbortController();
  const idle = new Map<PoolMember, NodeJS.Timeout>();
  const waiting = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  let free = threads;

  function takeMember(): PoolMember {
    const [rested] = idle.keys();
    if (rested) forget(rested);
    const member = rested ?? start();
    if (!rested) member.events.on('error', () => forget(member)).on('exit', () => forget(member));
    member.hold(true);
    return member;
  }

  function forget(member: PoolMember): void {
    clearTimeout(idle.get(member));
    idle.delete(member);
  }

  function rest(member: PoolMember): void {
    member.hold(false);
    const end = () => {
      forget(member);
      void member.end();
    };
    idle.set(member, setTimeout(end, idleMs).unref());
  }

  async function takePlace(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.size >= maxWaiting) throw new Error('Too many tasks wait for a thread.');
    const { promise, resolve, reject } = createDeferred<void>();
    const leave = () => {
      if (waiting.delete(resolve)) reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  function freePlace(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else if (waiting.delete(next)) next();
  }

  async function ask(
    task: Task,
    { transfer = [], onProgress }: RunOptions,
    signal: AbortSignal,
  ): Promise<ThreadOutcome<Answer>> {
    signal.throwIfAborted();
    const isWarm = idle.size > 0;
    const member = takeMember();
    const send = (message: ToThread<Task>) => member.post(message, 'task' in message ? transfer : []);
    const { promise, resolve } = createDeferred<ThreadOutcome<Answer>>();
    const giveUpAfter = (ms: number) => setTimeout(() => resolve({ kind: 'late' }), ms);
    let timer = deadlineMs === undefined ? undefined : giveUpAfter(deadlineMs);
    // A thread that is just starting does not answer.
    const before = isWarm && cpuMs !== undefined ? member.cpuUsage?.() : undefined;
    const checkCpu = async () => {
      const used = await member.cpuUsage?.(await before);
      if (used && cpuMs !== undefined && used.user + used.system > cpuMs * 1000) resolve({ kind: 'late' });
    };
    // A thread that has ended rejects, and reports its end by itself.
    const look = () => void checkCpu().catch(() => {});
    const cpuTimer = cpuMs === undefined ? undefined : setInterval(look, Math.min(cpuMs, CPU_LOOK_MS));
    const onMessage = (message: FromThread<Answer>) => {
      if ('progress' in message) onProgress?.(message.progress);
      else if ('failure' in message) onError(message.failure);
      else resolve({ kind: 'answer', answer: message.answer });
    };
    const onError = (error: Error) => resolve({ kind: 'died', error });
    const onExit = (code: number | null, killedBy?: string | null) =>
      onError(new Error(`It ended with ${killedBy ?? `code ${code}`}.`));
    const onAbort = () => {
      if (graceMs === 0) return resolve({ kind: 'late' });
      clearTimeout(timer);
      timer = giveUpAfter(graceMs);
      send({ abort: true });
    };
    member.events.on('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    let isWell = false;
    try {
      send({ task });
      const outcome = await promise;
      isWell = outcome.kind === 'answer';
      signal.throwIfAborted();
      return outcome;
    } finally {
      clearTimeout(timer);
      clearInterval(cpuTimer);
      signal.removeEventListener('abort', onAbort);
      member.events.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isWell && !closing.signal.aborted) rest(member);
      else await member.end();
    }
  }

  async function runInTurn(task: Task, options: RunOptions): Promise<ThreadOutcome<Answer>> {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    signal.throwIfAborted();
    await takePlace(signal);
    try {
      return await ask(task, options, signal);
    } finally {
      freePlace();
    }
  }

  return {
    /** Rejects when aborted by the signal or by `close`, and when too many tasks wait. */
    async run(task: Task, options: RunOptions = {}): Promise<ThreadOutcome<Answer>> {
      const outcome = runInTurn(task, options);
      underWay.add(outcome);
      return await outcome.finally(() => underWay.delete(outcome));
    },

    async close(): Promise<void> {
      closing.abort(new Error('The threads are closed.'));
      await Promise.allSettled(underWay);
      await Promise.all([...idle.keys()].map(async (member) => await member.end()));
    },
  };
}

/** `Promise.withResolvers` for Node 20, where the command line inspects packs. */
function createDeferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
