import { parentPort, workerData } from 'node:worker_threads';
import { createArena } from '../arena.ts';
import { createResultCache } from '../cache/result-cache.ts';
import { createCatalogue } from '../catalogue.ts';
import type { RunnerParts } from '../execute/job-state.ts';
import { runGraph } from '../execute/run-graph.ts';
import { createFolderFiles } from '../folder-files.ts';
import type { Graph } from '../graph.ts';
import { parseGraph, parseJson } from '../parse-prompt.ts';
import { hideKeys } from './hide-keys.ts';
import { loadPacks } from './load-packs.ts';
import type { FromThread, ThreadOptions, ToThread } from './runner-messages.ts';

/** The thread that runs graphs, one job at a time. Pictures never leave it; events and the outcome do. */
const port = parentPort;
if (!port) throw new Error('This module is the body of a worker thread.');

const { packs, memoryBytes, spareBytes, cacheBytes } = workerData as ThreadOptions;
const send = (message: FromThread): void => port.postMessage(message, []);
const hide = hideKeys([process.stdout, process.stderr]);

let running: AbortController | undefined;

async function createParts(): Promise<RunnerParts> {
  const arena = createArena({ limitBytes: memoryBytes, spareBytes });
  const catalogue = createCatalogue(await loadPacks(packs));
  return { catalogue, arena, cache: createResultCache(arena, { limitBytes: cacheBytes }) };
}

async function run(parts: RunnerParts, message: Extract<ToThread, { readonly kind: 'run' }>): Promise<void> {
  const { folders, ...job } = message.job;
  const graph = typeof job.graph === 'string' ? (parseGraph(job.graph) as Graph) : job.graph;
  const { extraData: extra = {} } = job;
  const extraData = typeof extra === 'string' ? (parseJson(extra) as Record<string, unknown>) : extra;
  hide(extraData);
  const abort = new AbortController();
  running = abort;
  const files = createFolderFiles(folders, { scratch: message.scratch });
  const outcome = await runGraph(
    parts,
    { ...job, graph, extraData, files },
    {
      signal: abort.signal,
      isCancelled: () => Atomics.load(message.cancelled, 0) !== 0,
      emit: (event) => send({ kind: 'event', run: message.run, event }),
    },
  );
  running = undefined;
  await files.close();
  send({ kind: 'done', run: message.run, outcome });
}

/** A node left something behind that failed on its own; who started the thread decides whose fault it is. */
function tellFault(error: unknown): void {
  send({ kind: 'fault', message: error instanceof Error ? error.message : String(error) });
}

try {
  const parts = await createParts();
  process.on('uncaughtException', tellFault);
  process.on('unhandledRejection', tellFault);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'cancel') running?.abort();
    else if (message.kind === 'forget') parts.cache.clear();
    else if (message.kind === 'exit') process.exit();
    else void run(parts, message);
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
}
