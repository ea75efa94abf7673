import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createArena,
  createCatalogue,
  createFolderFiles,
  createResultCache,
  type EngineEvent,
  type Folders,
  type Graph,
  type Outcome,
  type RunnerParts,
  runGraph,
} from '../index.ts';
import { pack as oddPack } from './odd-pack.ts';
import { pack } from './pack.ts';

export const catalogue = createCatalogue([
  { ...pack, builtIn: true },
  { ...oddPack, builtIn: true },
]);

export interface Workplace extends RunnerParts {
  readonly folders: Folders;
  run(
    graph: Graph,
    options?: WorkOptions,
  ): Promise<{ readonly outcome: Outcome; readonly events: EngineEvent[] }>;
  [Symbol.dispose](): void;
}

interface WorkOptions {
  readonly targets?: readonly string[];
  readonly signal?: AbortSignal;
  readonly scope?: string;
  onEvent?(event: EngineEvent): void;
}

/** An engine in this thread, with folders, an arena and a cache of its own. */
export function createWorkplace({ limitBytes = 2 ** 28, cacheBytes = 2 ** 26 } = {}): Workplace {
  const root = mkdtempSync(join(tmpdir(), 'atelier-engine-'));
  const folders = { input: join(root, 'input'), output: join(root, 'output'), temp: join(root, 'temp') };
  const arena = createArena({ limitBytes, spareBytes: limitBytes / 4 });
  const cache = createResultCache(arena, { limitBytes: cacheBytes });
  const parts = { catalogue, arena, cache };
  let jobs = 0;
  return {
    ...parts,
    folders,
    async run(
      graph,
      { targets = outputsOf(graph), signal = new AbortController().signal, scope = 'one', onEvent } = {},
    ) {
      jobs += 1;
      const events: EngineEvent[] = [];
      const files = createFolderFiles(folders);
      const outcome = await runGraph(
        parts,
        { jobId: `job${jobs}`, graph, targets, scope, files },
        {
          signal,
          emit(event) {
            events.push(event);
            onEvent?.(event);
          },
        },
      );
      await files.close();
      return { outcome, events };
    },
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function outputsOf(graph: Graph): string[] {
  return Object.keys(graph).filter((id) => catalogue.get(graph[id]?.class_type ?? '')?.outputNode);
}

/** What the output nodes showed, in order of their ids. */
export function shownTexts(outcome: Outcome): unknown[] {
  return Object.values(outcome.outputs).flatMap((output) => output['text'] ?? []);
}
