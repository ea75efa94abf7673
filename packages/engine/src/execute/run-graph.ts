import type { ExecutionErrorData } from '@atelier/contracts';
import type { ShownOutput } from '../cache/result-cache.ts';
import { Interrupted, LimitError } from '../node-error.ts';
import { orderedIds } from '../parse-prompt.ts';
import { createJobState, type LoopState, type RunOptions } from './create-job-state.ts';
import { describeFailure } from './describe-failure.ts';
import { executeNode, NodeFailure } from './execute-node.ts';
import type { Job, JobState, RunnerParts } from './job-state.ts';
import { showCached } from './shown-outputs.ts';

/** How a job ended, and its outputs. Outputs made before a failure stay. */
export interface Outcome {
  readonly status: 'success' | 'error' | 'interrupted';
  readonly outputs: Readonly<Record<string, ShownOutput['output']>>;
  readonly meta: Readonly<Record<string, ShownOutput['meta']>>;
  readonly executed: readonly string[];
  readonly error?: ExecutionErrorData;
  readonly failsEverywhere?: boolean;
}

/** The longest time between two turns of the event loop, so that a cancel is noticed. */
const TURN_MS = 20;

/** Runs a validated graph to its end. Never throws for anything that a graph or a node does. */
export async function runGraph(parts: RunnerParts, job: Job, options: RunOptions): Promise<Outcome> {
  const state = createJobState(parts, job, options);
  const { jobId } = job;
  const at = { node: '' };
  try {
    state.emit({ type: 'execution_start', data: { prompt_id: jobId, timestamp: Date.now() } });
    state.checkpoint();
    const ids = orderedIds(job.graph, job.order);
    await state.prepare(ids);
    state.emit({
      type: 'execution_cached',
      data: { nodes: ids.filter((id) => state.hits.has(id)), prompt_id: jobId, timestamp: Date.now() },
    });
    await runNodes(state, at);
    await showCached(state, state.hits);
    state.emit({ type: 'execution_success', data: { prompt_id: jobId, timestamp: Date.now() } });
    return outcome(state, 'success');
  } catch (error) {
    return fail(state, at.node, error);
  } finally {
    state.end();
  }
}

async function runNodes(state: LoopState, at: { node: string }): Promise<void> {
  for (const target of [...state.job.targets, ...state.lost]) state.list.add(target);
  let turned = performance.now();
  while (!state.list.isEmpty()) {
    state.checkpoint();
    const id = state.list.next();
    if (id === undefined) {
      await state.sleep();
      continue;
    }
    at.node = id;
    await executeNode(state, id);
    if (performance.now() - turned < TURN_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turned = performance.now();
  }
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
  return {
    ...outcome(state, 'error'),
    error: data,
    ...(cause instanceof LimitError && { failsEverywhere: true }),
  };
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
