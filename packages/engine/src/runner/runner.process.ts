import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createArena } from '../arena.ts';
import { createResultCache } from '../cache/result-cache.ts';
import { createCatalogue } from '../catalogue.ts';
import { describeNodes } from '../declare/describe-nodes.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { RunnerParts } from '../execute/job-state.ts';
import { runGraph } from '../execute/run-graph.ts';
import { createFolderFiles, type FolderFiles, type OpenFiles, scratchFolder } from '../folder-files.ts';
import type { Graph } from '../graph.ts';
import { parseGraph, parseJson } from '../parse-prompt.ts';
import { answerCheck, type CheckQuestion } from '../validate/answer-check.ts';
import { cut, MAX_DETAILS } from '../validate/problems.ts';
import { hideKeys } from './hide-keys.ts';
import { loadPacks, PackError } from './load-packs.ts';
import type { FromProcess, ProcessOptions, ToProcess } from './runner-messages.ts';

/** Looking at the disk takes microseconds, and nodes may ask for every row of a picture. */
const CANCEL_LOOK_MS = 5;
/** This process and everything that nodes have started. */
const GROUP = process.platform === 'win32' ? process.pid : -process.pid;
/** Ends the process when its parent is gone, even while a node computes. */
const WATCHDOG = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(${GROUP}, 'SIGKILL');
}, 250);`;

/** The process that runs graphs, one job at a time. It sends events and outcomes, never pictures. */
const hide = hideKeys([process.stdout, process.stderr]);
let running: AbortController | undefined;
/** The job that started the current code, even after its end. */
const currentRun = new AsyncLocalStorage<number>();

function send(message: FromProcess): void {
  process.send?.(message);
}

async function createParts(options: ProcessOptions): Promise<RunnerParts> {
  const { packs, memoryBytes, spareBytes, cacheBytes } = options;
  const arena = createArena({ limitBytes: memoryBytes, spareBytes });
  const catalogue = createCatalogue(await loadPacks(packs));
  return { catalogue, arena, cache: createResultCache(arena, { limitBytes: cacheBytes }) };
}

async function run(parts: RunnerParts, message: Extract<ToProcess, { readonly kind: 'run' }>): Promise<void> {
  const { job } = message;
  send({ kind: 'begun', run: message.run });
  // oxlint-disable-next-line node/no-process-env -- what nodes of this process see
  Object.assign(process.env, message.env);
  const graph = typeof job.graph === 'string' ? (parseGraph(job.graph) as Graph) : job.graph;
  const { extraData: extra = {} } = job;
  const extraData = typeof extra === 'string' ? (parseJson(extra) as Record<string, unknown>) : extra;
  hide(extraData);
  const abort = new AbortController();
  running = abort;
  const files = await openFiles(message, abort.signal);
  const events = createOutgoing(message.run);
  const outcome = await runGraph(
    parts,
    { ...job, graph, extraData, files },
    {
      signal: abort.signal,
      isCancelled: createCancelCheck(message.cancelFile),
      emit: events.add,
    },
  );
  running = undefined;
  await files.close();
  send({ kind: 'done', run: message.run, events: events.take(), outcome });
}

/** Sent at once, with all earlier events, because a node that computes ends no turn. Others wait for the end of the turn. */
const URGENT = new Set<EngineEvent['type']>(['executing', 'progress', 'text']);

/** Collects events for the parent. One message for each event took a seventh of the time of a small job. */
function createOutgoing(runNumber: number) {
  let waiting: EngineEvent[] = [];
  let timer: NodeJS.Immediate | undefined;

  function take(): EngineEvent[] {
    clearImmediate(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    return taken;
  }
  const flush = (): void => send({ kind: 'events', run: runNumber, events: take() });

  return {
    take,
    add(event: EngineEvent): void {
      waiting.push(event);
      if (URGENT.has(event.type)) flush();
      else timer ??= setImmediate(flush);
    },
  };
}

async function check(
  { catalogue }: RunnerParts,
  message: Extract<ToProcess, { readonly kind: 'check' }>,
): Promise<void> {
  const files = createFolderFiles(message.folders);
  try {
    const result = await answerCheck(catalogue, parseJson(message.question) as CheckQuestion, files);
    send({ kind: 'checked', run: message.run, result });
  } catch (error) {
    const { name, message: text }: { readonly name: unknown; readonly message: unknown } = toError(error);
    const told = { name: cut(String(name)), message: cut(String(text), MAX_DETAILS) };
    send({ kind: 'checkFailed', run: message.run, error: told });
  } finally {
    await files.close();
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

async function openFiles(
  { job, scratch }: Extract<ToProcess, { readonly kind: 'run' }>,
  signal: AbortSignal,
): Promise<FolderFiles> {
  if ('folders' in job) return createFolderFiles(job.folders, { scratch });
  const { module, options, scratchIn } = job.remoteFiles;
  const opened = (await import(module)) as { readonly openFiles: OpenFiles };
  return opened.openFiles(options, { scratch: scratchFolder(scratchIn, scratch), signal });
}

function createCancelCheck(file: string): () => boolean {
  let isCancelled = false;
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    if (isCancelled || now - lookedAt < CANCEL_LOOK_MS) return isCancelled;
    lookedAt = now;
    isCancelled = existsSync(file);
    return isCancelled;
  };
}

/** Reports code of a node that failed after its call had ended. */
function reportFault(error: unknown): void {
  send({ kind: 'fault', run: currentRun.getStore(), message: toError(error).message });
}

process.once('disconnect', () => process.kill(GROUP, 'SIGKILL'));
// Ctrl-C and service managers signal every process of a group; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
new Worker(WATCHDOG, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, stackSizeMb: 1 } }).unref();
try {
  const [start] = (await once(process, 'message')) as [Extract<ToProcess, { readonly kind: 'start' }>];
  const parts = await createParts(start.options);
  process.on('uncaughtException', reportFault);
  process.on('unhandledRejection', reportFault);
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'cancel') running?.abort();
    else if (message.kind === 'forget') parts.cache.clear();
    else if (message.kind === 'run') void currentRun.run(message.run, async () => await run(parts, message));
    else if (message.kind === 'check') {
      void currentRun.run(message.run, async () => await check(parts, message));
    }
  });
  send({ kind: 'ready', description: describeNodes(parts.catalogue) });
  // This process will be killed, which writes no cache. Without one, stripping types takes the next process 35 MB more.
  flushCompileCache();
} catch (error) {
  if (error instanceof PackError) send({ kind: 'broken', message: error.why, pack: error.pack });
  else send({ kind: 'broken', message: toError(error).message, pack: undefined });
}
