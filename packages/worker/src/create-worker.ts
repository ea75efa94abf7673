import { hash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FromWorker, JobFilesAt, ToWorker, WorkerMessages } from '@atelier/contracts';
import { DEVICE_ERROR } from '@atelier/engine/runner';

import { createConnection } from './connection.ts';
import type { CacheOptions } from './content-cache.ts';
import {
  AttemptLost,
  type Executor,
  type ExecutorEvents,
  type ExecutorJob,
  type ExecutorStatus,
} from './executor.ts';
import { createOutbox, type Outgoing } from './outbox.ts';

export interface WorkerOptions {
  readonly token: string;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly createExecutor: (events: ExecutorEvents) => Executor;
  /** Keeps copies of files that are at the server. */
  readonly cache: CacheOptions;
  readonly log: (sentence: string) => void;
}

const DRAIN_LOOK_MS = 50;

type Run = Extract<ToWorker, { readonly type: 'run' }>;

/** Runs jobs of a server until it is stopped. */
export function createWorker(options: WorkerOptions) {
  const { log } = options;
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<undefined>();
  stopping.signal.addEventListener('abort', () => stopped.resolve(undefined), { once: true });
  const broken = Promise.withResolvers<never>();
  // It may break while it loads, which reports the failure itself.
  broken.promise.catch(() => {});
  const instance = randomUUID();
  const running = new Map<string, AbortController>();
  /** The server wants it to take no new jobs. */
  let isDraining = false;
  /** It stops once its running jobs have ended. */
  let isLeaving = false;
  let server = '';
  let status: ExecutorStatus | undefined;

  const executor = options.createExecutor({
    serverUrl: () => server,
    onReady(count) {
      if (!isDraining && !isLeaving) say({ type: 'ready', count });
    },
    onChange: () => void announce().catch(broken.reject),
    onStatus(now) {
      status = now;
      say({ type: 'status', ...now });
    },
    onBroken: broken.reject,
  });
  const connection = createConnection({
    token: options.token,
    signal: stopping.signal,
    hello,
    onMessage,
    log,
  });
  const outbox = createOutbox(connection);
  /** The description of its node types once they are loaded. */
  let nodeTypes: { readonly hash: string; readonly body: string } | undefined;

  function say(message: FromWorker): void {
    connection.send(JSON.stringify(message));
  }

  /** Resolves when its node types are loaded or it is stopped; rejects when loading fails. */
  async function load(): Promise<void> {
    if (nodeTypes) return;
    const body = await Promise.race([executor.describe(), stopped.promise]);
    if (body === undefined) return;
    nodeTypes = { hash: hash('sha256', body), body };
  }

  /** Announces again what it can run. */
  async function announce(): Promise<void> {
    nodeTypes = undefined;
    await load();
    say({ type: 'offer', ...offer() });
  }

  function offer(): Omit<WorkerMessages['offer'], 'type'> {
    return {
      labels: [...options.labels],
      ...executor.facts(),
      ...(nodeTypes && { nodeTypes: nodeTypes.hash }),
    };
  }

  const ready = (): number => (isDraining || isLeaving ? 0 : executor.ready());

  function hello(): FromWorker {
    return {
      type: 'hello',
      name: options.name,
      instance,
      kind: executor.kind,
      version: options.version,
      slots: executor.slots,
      ...offer(),
      ready: ready(),
      isDraining,
      attempts: outbox.attempts(),
    };
  }

  function onMessage(message: ToWorker): void {
    switch (message.type) {
      case 'welcome':
        if (executor.installation?.() === message.installation && message.installation !== undefined)
          broken.reject(new Error('--comfyui is an Atelier of the same fleet. Jobs would come back to it.'));
        resume(message.attempts);
        executor.ownedBy?.(`${message.installation ?? server} ${options.name}`);
        if (status) say({ type: 'status', ...status });
        if (isLeaving) say({ type: 'draining' });
        break;
      case 'describe':
        if (nodeTypes) say({ type: 'node_types', ...nodeTypes });
        break;
      case 'load':
        load()
          .then(() => say({ type: 'offer', ...offer() }))
          .catch(broken.reject);
        break;
      case 'run':
        begin(message);
        break;
      case 'cancel':
        running.get(message.attempt)?.abort();
        break;
      case 'ack':
        outbox.ack(message.attempt, message.number);
        break;
      case 'forget':
        executor.forget(message.scope);
        break;
      case 'check':
        void check(message);
        break;
      case 'drain':
        isDraining = true;
        break;
      case 'resume':
        isDraining = false;
        if (ready() > 0) say({ type: 'ready', count: ready() });
        break;
      default:
        // A newer server may send other messages.
        break;
    }
  }

  function resume(wanted: Extract<ToWorker, { readonly type: 'welcome' }>['attempts']): void {
    const known = new Set(wanted.map(({ attempt }) => attempt));
    for (const { attempt } of outbox.attempts()) if (!known.has(attempt)) dropAttempt(attempt);
    for (const { attempt, after } of wanted) outbox.resume(attempt, after);
  }

  function dropAttempt(attempt: string): void {
    outbox.forget(attempt);
    running.get(attempt)?.abort();
  }

  function begin({ attempt, job }: Run): void {
    const abort = new AbortController();
    running.set(attempt, abort);
    const outgoing = outbox.open(attempt, job.files.kind === 'server' ? job.files.key : undefined, () =>
      abort.abort(),
    );
    void run({ attempt, job, outgoing, signal: abort.signal }).finally(() => running.delete(attempt));
  }

  async function run({
    job,
    outgoing,
    signal,
  }: Omit<Run, 'type'> & { outgoing: Outgoing; signal: AbortSignal }): Promise<void> {
    const slot = executor.take(job.scope);
    if (!slot) {
      outgoing.lost({ cause: 'returned', message: 'The worker has no free slot.' });
      return;
    }
    try {
      const files = filesAt(job.files, job.scope);
      const outcome = await slot.run({ ...job, files }, { signal, onEvent: outgoing.event });
      // The full disk of another machine does not concern the server: the job runs elsewhere.
      if (outcome.error?.exception_type === 'DiskFull' && job.files.kind === 'server')
        outgoing.lost({ cause: 'disk', message: outcome.error.exception_message.trim() });
      else if (outcome.error?.exception_type === DEVICE_ERROR)
        outgoing.lost({ cause: 'device', message: outcome.error.exception_message.trim() });
      else outgoing.end(outcome);
    } catch (error) {
      if (error instanceof AttemptLost) outgoing.lost(error.why);
      else outgoing.lost({ cause: 'crash', message: error instanceof Error ? error.message : String(error) });
    } finally {
      slot.free();
    }
  }

  function filesAt(files: JobFilesAt, scope: string): ExecutorJob['files'] {
    if (files.kind === 'folders') return files;
    const url = `${server.replace(/\/$/, '')}${files.path}`;
    return { kind: 'server', options: { url, key: files.key, scope, cache: options.cache } };
  }

  async function check({
    id,
    question,
    files,
  }: Extract<ToWorker, { readonly type: 'check' }>): Promise<void> {
    // Files at the server cannot be checked here.
    const answer =
      files.kind === 'folders' ? await executor.check(question, files.folders) : { result: true };
    say({ type: 'checked', id, ...answer });
  }

  return {
    load,
    /** Works for the server until it is stopped. Rejects when the server refuses it or its processes no longer start. */
    async run(url: string): Promise<void> {
      server = url;
      await Promise.race([connection.run(url), broken.promise]);
    },
    /** Finishes the running jobs, takes no new ones, then stops. */
    async drain(): Promise<void> {
      isLeaving = true;
      say({ type: 'draining' });
      const isBusy = (): boolean => running.size > 0 || outbox.attempts().length > 0;
      // A worker that the server refuses meanwhile ends without them.
      while (isBusy() && !stopping.signal.aborted) await delay(DRAIN_LOOK_MS);
      stopping.abort();
    },
    async close(): Promise<void> {
      stopping.abort();
      await executor.close();
    },
  };
}
