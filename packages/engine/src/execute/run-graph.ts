import type { ExecutionErrorData } from '@atelier/contracts';
import type { Result, ShownOutput } from '../cache/result-cache.ts';
import { createSignatures } from '../cache/signatures.ts';
import type { EngineEvent } from '../engine-events.ts';
import { dependenciesFirst } from '../graph-order.ts';
import { Interrupted } from '../node-error.ts';
import { describeFailure } from './describe-failure.ts';
import { createDynamicGraph } from './dynamic-graph.ts';
import { executeNode, NodeFailure } from './execute-node.ts';
import { createExecutionList } from './execution-list.ts';
import { createJobProgress } from './job-progress.ts';
import { createJobResults } from './job-results.ts';
import type { Job, JobState, RunnerParts } from './job-state.ts';
import { isLazyInput } from './node-inputs.ts';
import { shownFilesExist } from './shown-files.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Told at once of a cancel that the event loop has not seen yet. */
  isCancelled?(): boolean;
  emit(event: EngineEvent): void;
}

/** How a job ended, and what it shows; outputs made before a failure stay. */
export interface Outcome {
  readonly status: 'success' | 'error' | 'interrupted';
  readonly outputs: Readonly<Record<string, ShownOutput['output']>>;
  readonly meta: Readonly<Record<string, ShownOutput['meta']>>;
  readonly executed: readonly string[];
  readonly error?: ExecutionErrorData;
}

/** Runs a validated graph to its end. Never throws for what a graph or a node does. */
export async function runGraph(parts: RunnerParts, job: Job, options: RunOptions): Promise<Outcome> {
  const { state, hits, prepare } = createState(parts, job, options);
  const { jobId } = job;
  let current = '';
  try {
    state.emit({ type: 'execution_start', data: { prompt_id: jobId, timestamp: Date.now() } });
    state.checkpoint();
    const cached = await prepare(Object.keys(job.graph));
    state.emit({
      type: 'execution_cached',
      data: { nodes: cached, prompt_id: jobId, timestamp: Date.now() },
    });
    for (const target of job.targets) state.list.add(target);
    while (!state.list.isEmpty()) {
      state.checkpoint();
      const id = state.list.next();
      if (id === undefined) {
        await state.sleep();
        continue;
      }
      current = id;
      await executeNode(state, id);
    }
    announceCached(state, hits);
    state.emit({ type: 'execution_success', data: { prompt_id: jobId, timestamp: Date.now() } });
    return outcome(state, 'success');
  } catch (error) {
    return fail(state, current, error);
  } finally {
    for (const buffers of state.held.values()) parts.arena.release(buffers);
    state.results.close();
  }
}

type LoopState = JobState & { sleep(): Promise<void> };

function createState(
  parts: RunnerParts,
  job: Job,
  { signal, isCancelled = () => false, emit }: RunOptions,
): {
  state: LoopState;
  hits: ReadonlyMap<string, Result>;
  prepare: (ids: readonly string[]) => Promise<string[]>;
} {
  const { catalogue, arena, cache } = parts;
  const graph = createDynamicGraph(job.graph);
  const results = createJobResults(arena, graph);
  const keys = new Map<string, string>();
  const hits = new Map<string, Result>();
  const signatures = createSignatures({
    graph,
    catalogue,
    scope: job.scope ?? '',
    check: { files: job.files, types: {} },
  });
  const typeOf = (id: string) => catalogue.get(graph.node(id).class_type);
  const list = createExecutionList({
    graph,
    isKnown: (id) => results.get(id) !== undefined,
    isLazy: (id, input) => isLazyInput({ graph, parts }, id, input),
    isVisible: (id) => Boolean(typeOf(id)?.outputNode || typeOf(id)?.async),
  });

  /** Finds what is known of these nodes; gives the ids of those that are. */
  async function prepare(ids: readonly string[]): Promise<string[]> {
    for (const id of ids) {
      const key = await signatures.of(id);
      keys.set(id, key);
      const hit = cache.get(key);
      if (!hit) continue;
      if (hit.ui && !(await shownFilesExist(hit.ui.output, job.files))) cache.delete(key);
      else hits.set(id, hit);
    }
    const wanted = ids.some((id) => graph.parentId(id) !== undefined) ? ids : job.targets;
    results.expect(wanted, (id) => hits.get(id));
    return ids.filter((id) => hits.has(id));
  }

  let awake = Promise.withResolvers<void>();
  const state: LoopState = {
    job,
    parts,
    graph,
    list,
    results,
    progress: createJobProgress(job.jobId, graph, emit),
    keys,
    executed: new Set(),
    shown: new Map(),
    arrived: new Map(),
    expanded: new Map(),
    held: new Map(),
    signal,
    emit,
    checkpoint() {
      if (signal.aborted || isCancelled()) throw new Interrupted();
    },
    wake: () => awake.resolve(),
    async sleep() {
      const stop = (): void => awake.resolve();
      signal.addEventListener('abort', stop, { once: true });
      await awake.promise;
      signal.removeEventListener('abort', stop);
      awake = Promise.withResolvers();
    },
    async prepare(ids) {
      await prepare(ids);
    },
  };
  return { state, hits, prepare };
}

/**
 * What cached nodes showed besides the targets, so that a cached job shows the same as one that ran: nodes that show
 * something without being a reason to run, and outputs among the nodes that a node had expanded into.
 */
function announceCached(state: JobState, hits: ReadonlyMap<string, Result>): void {
  const { graph, job } = state;
  const isShown = ([id, { ui, inner }]: [string, Result]): boolean =>
    inner.size > 0 || (ui !== undefined && showsOnTheWay(state, id));
  const shown = [...hits].filter(isShown);
  if (shown.length === 0) return;
  const linksOf = (id: string) => graph.links(id).flatMap(({ from }) => (graph.has(from) ? [from] : []));
  const wanted = new Set(dependenciesFirst('', (id) => (id === '' ? job.targets : linksOf(id))));
  for (const [id, { ui, inner }] of shown) {
    if (!wanted.has(id)) continue;
    if (ui && showsOnTheWay(state, id))
      announce(state, id, { output: ui.output, meta: placeOf(state, id, id) });
    for (const [rest, output] of inner)
      announce(state, id + rest, { output, meta: placeOf(state, id + rest, id) });
  }
}

/** It shows something without being a reason to run, and it did not run. */
function showsOnTheWay({ graph, parts, executed }: JobState, id: string): boolean {
  return !executed.has(id) && parts.catalogue.get(graph.node(id).class_type)?.hasIntermediateOutput === true;
}

function placeOf({ graph }: JobState, id: string, shownAt: string): ShownOutput['meta'] {
  const parent_node = id === shownAt ? (graph.parentId(id) ?? null) : shownAt;
  return {
    node_id: id,
    display_node: graph.displayId(shownAt),
    parent_node,
    real_node_id: graph.realId(shownAt),
  };
}

function announce(state: JobState, id: string, shown: ShownOutput): void {
  state.shown.set(id, shown);
  state.emit({
    type: 'executed',
    data: {
      node: id,
      display_node: shown.meta.display_node,
      output: shown.output,
      prompt_id: state.job.jobId,
    },
  });
}

function fail(state: JobState, current: string, error: unknown): Outcome {
  const cause = error instanceof NodeFailure ? error.cause : error;
  const nodeId = error instanceof NodeFailure ? error.nodeId : current;
  const about = {
    prompt_id: state.job.jobId,
    node_id: nodeId === '' ? '' : state.graph.realId(nodeId),
    node_type: state.graph.has(nodeId) ? state.graph.node(nodeId).class_type : '',
    executed: [...state.executed],
  };
  if (cause instanceof Interrupted || state.signal.aborted) {
    state.emit({ type: 'execution_interrupted', data: { ...about, timestamp: Date.now() } });
    return outcome(state, 'interrupted');
  }
  const data: ExecutionErrorData = {
    ...about,
    ...describeFailure(cause, error instanceof NodeFailure ? error.inputs : {}),
    current_outputs: state.results.ids(),
    timestamp: Date.now(),
  };
  state.emit({ type: 'execution_error', data });
  return { ...outcome(state, 'error'), error: data };
}

function outcome(state: JobState, status: Outcome['status']): Outcome {
  const shown = [...state.shown];
  return {
    status,
    outputs: Object.fromEntries(shown.map(([id, { output }]) => [id, output])),
    meta: Object.fromEntries(shown.map(([id, { meta }]) => [id, meta])),
    executed: [...state.executed],
  };
}
