import type { Result } from '../cache/result-cache.ts';
import { createSignatures } from '../cache/signatures.ts';
import type { EngineEvent } from '../engine-events.ts';
import { Interrupted } from '../node-error.ts';
import { createOutputBounds } from './bound-output.ts';
import { createDynamicGraph } from './dynamic-graph.ts';
import { createExecutionList } from './execution-list.ts';
import { createJobProgress } from './job-progress.ts';
import { createJobResults } from './job-results.ts';
import type { Job, JobState, RunnerParts } from './job-state.ts';
import { lazyInputs } from './node-inputs.ts';
import { shownFilesExist } from './shown-files.ts';
import { neededBy } from './shown-outputs.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Knows of a cancel before the event loop does. */
  isCancelled?(): boolean;
  emit(event: EngineEvent): void;
}

/** The state of a job, with members for the loop that runs it. */
export interface LoopState extends JobState {
  readonly hits: ReadonlyMap<string, Result>;
  /** Nodes that run although their dependents are cached, because files that their expansion showed are gone. */
  readonly lost: ReadonlySet<string>;
  /** Waits until a node may go on. */
  sleep(): Promise<void>;
  /** From now on, code that still runs has no effect. */
  end(): void;
}

export function createJobState(parts: RunnerParts, job: Job, options: RunOptions): LoopState {
  const { catalogue, arena } = parts;
  const { isCancelled = () => false } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const emit = (event: EngineEvent): void => {
    if (!ended.signal.aborted) options.emit(event);
  };
  const graph = createDynamicGraph(job.graph);
  const results = createJobResults(arena, graph);
  const keys = new Map<string, string>();
  const hits = new Map<string, Result>();
  const lost = new Set<string>();
  const typeOf = (id: string) => catalogue.get(graph.node(id).class_type);
  const find = createFinder(parts, { keys, hits, lost, graph, results, job, signal });
  let awake = Promise.withResolvers<void>();
  const held = new Map<string, ReadonlySet<ArrayBuffer>>();
  return {
    job,
    parts,
    graph,
    list: createExecutionList({
      graph,
      isKnown: (id) => results.get(id) !== undefined,
      lazyInputs: (id) => lazyInputs({ graph, parts }, id),
      isOutput: (id) => typeOf(id)?.outputNode === true,
      isAsync: (id) => typeOf(id)?.async === true,
    }),
    results,
    hits,
    lost,
    progress: createJobProgress(job.jobId, graph, emit),
    keys,
    executed: new Set(),
    shown: new Map(),
    boundOutput: createOutputBounds(),
    arrived: new Map(),
    expanded: new Map(),
    held,
    signal,
    emit,
    checkpoint() {
      if (signal.aborted || isCancelled()) throw new Interrupted();
    },
    isOver: () => ended.signal.aborted,
    wake: () => awake.resolve(),
    async sleep() {
      const stop = (): void => awake.resolve();
      signal.addEventListener('abort', stop, { once: true });
      await awake.promise;
      signal.removeEventListener('abort', stop);
      awake = Promise.withResolvers();
    },
    prepare: find,
    end() {
      ended.abort();
      for (const buffers of held.values()) arena.release(buffers);
      results.close();
    },
  };
}

type FinderParts = Pick<LoopState, 'graph' | 'results' | 'job' | 'signal'> & {
  readonly keys: Map<string, string>;
  readonly hits: Map<string, Result>;
  readonly lost: Set<string>;
};

/** Finds the cached results of new nodes, and tells the job's results which of them may be read. */
function createFinder(
  { catalogue, arena, cache }: RunnerParts,
  { graph, results, job, signal, keys, hits, lost }: FinderParts,
): (ids: readonly string[]) => Promise<void> {
  const signatureOf = createSignatures({
    graph,
    catalogue,
    scope: job.scope ?? '',
    files: job.files,
    signal,
  });
  const wanted = neededBy(graph, job.targets);
  return async (ids) => {
    // Retained at once, because the cache may evict a result while others are looked up.
    const found: Result[] = [];
    try {
      for (const id of ids) {
        const key = await signatureOf(id);
        keys.set(id, key);
        const hit = cache.get(key);
        if (!hit) continue;
        arena.retain(hit.buffers);
        found.push(hit);
        if (await shownFilesExist(hit, job.files)) {
          hits.set(id, hit);
          continue;
        }
        cache.delete(key);
        if (hit.inner.size > 0 && wanted.has(id)) lost.add(id);
      }
      const isExpansion = ids.some((id) => graph.parentId(id) !== undefined);
      const fresh = new Set(ids);
      results.expect(isExpansion ? ids : [...job.targets, ...lost], (id) =>
        // A result found earlier may have been evicted.
        fresh.has(id) ? hits.get(id) : cache.get(keys.get(id) ?? ''),
      );
    } finally {
      for (const { buffers } of found) arena.release(buffers);
    }
  };
}
