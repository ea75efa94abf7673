import { parentPort, workerData } from 'node:worker_threads';
import { createArena } from '../arena.ts';
import { createResultCache } from '../cache/result-cache.ts';
import { createCatalogue } from '../catalogue.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { RunnerParts } from '../execute/job-state.ts';
import { runGraph } from '../execute/run-graph.ts';
import { createFolderFiles } from '../folder-files.ts';
import { loadPacks } from './load-packs.ts';
import type { FromThread, RunnerJob, ThreadOptions, ToThread } from './runner-messages.ts';

/** The thread that runs graphs, one job at a time. Pictures never leave it; events and the outcome do. */
const port = parentPort;
if (!port) throw new Error('This module is the body of a worker thread.');

const { packs, memoryBytes, spareBytes, cacheBytes } = workerData as ThreadOptions;
const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

let running: AbortController | undefined;

async function createParts(): Promise<RunnerParts> {
  const arena = createArena({ limitBytes: memoryBytes, spareBytes });
  const catalogue = createCatalogue(await loadPacks(packs));
  return { catalogue, arena, cache: createResultCache(arena, { limitBytes: cacheBytes }) };
}

function sendEvent(event: EngineEvent): void {
  const bytes = event.type === 'progress' ? event.preview?.bytes : undefined;
  const owned = bytes && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
  send({ kind: 'event', event }, owned);
}

async function run(
  parts: RunnerParts,
  { folders, ...job }: RunnerJob,
  cancelled: Int32Array<SharedArrayBuffer>,
): Promise<void> {
  const abort = new AbortController();
  running = abort;
  const files = createFolderFiles(folders);
  const outcome = await runGraph(
    parts,
    { ...job, files },
    { signal: abort.signal, isCancelled: () => Atomics.load(cancelled, 0) !== 0, emit: sendEvent },
  );
  running = undefined;
  await files.close();
  send({ kind: 'done', outcome });
}

try {
  const parts = await createParts();
  port.on('message', (message: ToThread) => {
    if (message.kind === 'cancel') running?.abort();
    else if (message.kind === 'forget') parts.cache.clear();
    else if (message.kind === 'exit') process.exit();
    else void run(parts, message.job, message.cancelled);
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
}
