import { buffersOf } from '../buffers.ts';
import { type Result, toResult } from '../cache/result-cache.ts';
import { nestInputs } from '../declare/flat-inputs.ts';
import type { NodeContext } from '../declare/node-context.ts';
import type { NodeType } from '../declare/node-type.ts';
import type { Blocker } from '../declare/outputs.ts';
import { block } from '../declare/outputs.ts';
import { isLink } from '../graph.ts';
import { Interrupted, NodeError } from '../node-error.ts';
import { cutText, MAX_NODE_OUTPUT_BYTES } from './bound-output.ts';
import {
  blockerIn,
  type CallResult,
  callNode,
  type InputLists,
  joinSlots,
  mapLists,
  mergeSlots,
  mergeUi,
} from './call-node.ts';
import { cut } from './describe-failure.ts';
import { expandNode, resolveExpansion } from './expand-node.ts';
import type { Arrival, JobState } from './job-state.ts';
import { gatherInputs, hiddenValues, linkedTypes, requireMade } from './node-inputs.ts';
import { createResultMeter } from './result-meter.ts';
import { announce, innerShown, placeOf, show } from './shown-outputs.ts';
import { untilAborted } from './until-aborted.ts';

/** A node that failed, with its input values. */
export class NodeFailure extends Error {
  readonly nodeId: string;
  readonly inputs: InputLists;
  constructor(nodeId: string, inputs: InputLists, cause: unknown) {
    super('A node failed', { cause });
    this.name = 'NodeFailure';
    this.nodeId = nodeId;
    this.inputs = inputs;
  }
}

/** Runs one node to its end, or until it waits for others. */
export async function executeNode(state: JobState, id: string): Promise<void> {
  const type = typeOf(state, id);
  const known = state.results.get(id);
  if (known) {
    // It was cached before the job began, so its output is shown again.
    if (known.ui) await show(state, id, { output: known.ui.output, meta: placeOf(state.graph, id) });
    else announce(state, id, null);
    complete(state, id);
    return;
  }
  const expanded = state.expanded.get(id);
  if (expanded) {
    state.expanded.delete(id);
    const slots = joinSlots(type, resolveExpansion(state, type, expanded));
    finish(state, id, toResult(slots, { nodeId: id, ui: state.shown.get(id), inner: innerShown(state, id) }));
    return;
  }
  const arrived = state.arrived.get(id);
  if (!arrived) {
    await start(state, id, type);
    return;
  }
  state.arrived.delete(id);
  if ('error' in arrived) throw new NodeFailure(id, arrived.inputs, arrived.error);
  await take(state, id, type, arrived.calls);
}

async function start(state: JobState, id: string, type: NodeType): Promise<void> {
  const { lists, missing } = gatherInputs(state, id, type);
  try {
    state.progress.start(id);
    state.emit({
      type: 'executing',
      data: { node: id, display_node: state.graph.displayId(id), prompt_id: state.job.jobId },
    });
    requireMade(state, id, type);
    if (await askForLazy(state, id, type, lists, missing)) return;
    const call = callInArena(state, id, type, lists);
    if (!type.async) {
      await take(state, id, type, await untilAborted(call, state.signal));
      return;
    }
    state.list.hold(id);
    const arrive = (what: Arrival): void => {
      state.arrived.set(id, what);
      state.list.letGo(id);
      state.wake();
    };
    call.then(
      (calls) => arrive({ calls }),
      (error: unknown) => arrive({ error, inputs: lists }),
    );
  } catch (error) {
    throw error instanceof NodeFailure ? error : new NodeFailure(id, lists, error);
  }
}

/** Lends the call its memory, and takes back everything but the buffers of its return value. */
async function callInArena(
  state: JobState,
  id: string,
  type: NodeType,
  lists: InputLists,
): Promise<readonly CallResult[]> {
  const { arena, catalogue } = state.parts;
  const { memory, end } = arena.lend();
  try {
    const calls = await callNode(type, lists, {
      context: nodeContext(state, id, type, memory),
      measure: createResultMeter(type, state.results.textRoom()),
      onBlocked: (blocker) => tellBlocked(state, id, blocker),
    });
    // The job may have ended meanwhile, and then nobody needs the result.
    if (state.isOver()) throw new Interrupted();
    const made = buffersOf(calls.map(({ outputs, expand }) => [outputs, expand]));
    arena.retain(made);
    end(made);
    if (!catalogue.packOf(type.type)?.builtIn) {
      arena.disown(made);
      arena.disown(buffersOf(Object.values(lists)));
    }
    state.held.set(id, made);
    return calls;
  } catch (error) {
    end(new Set());
    throw error;
  }
}

/** Schedules the lazy inputs that the node needs now; returns whether there are any. */
async function askForLazy(
  state: JobState,
  id: string,
  type: NodeType,
  lists: InputLists,
  missing: ReadonlySet<string>,
): Promise<boolean> {
  if (!type.needs) return false;
  const calls = type.inputIsList ? 1 : Math.max(1, ...Object.values(lists).map((list) => list.length));
  const wanted = new Set<string>();
  for (let index = 0; index < calls; index += 1) {
    const values = mapLists(lists, (list) =>
      type.inputIsList ? list : list[Math.min(index, list.length - 1)],
    );
    // A blocked call needs nothing.
    if (blockerIn(type, values)) continue;
    const needed = await untilAborted(Promise.resolve(type.needs(nestInputs(type, values))), state.signal);
    for (const name of needed) if (missing.has(name)) wanted.add(name);
  }
  const { inputs } = state.graph.node(id);
  for (const name of wanted) {
    const value = inputs[name];
    if (!isLink(value)) continue;
    if (state.results.get(value[0])) {
      throw new NodeError('IndexError', `Node ${value[0]} has no output ${value[1]} for the input ${name}.`);
    }
    state.list.require(value[0], id);
  }
  return wanted.size > 0;
}

/** Turns the return values into the result of the node, or schedules the nodes that it expanded into. */
async function take(
  state: JobState,
  id: string,
  type: NodeType,
  calls: readonly CallResult[],
): Promise<void> {
  const ui = mergeUi(calls);
  if (ui) await show(state, id, { output: ui, meta: placeOf(state.graph, id) });
  if (calls.some(({ expand }) => expand)) {
    state.expanded.set(id, await expandNode(state, id, calls));
    return;
  }
  const slots = mergeSlots(
    type,
    calls.map(({ outputs }) => outputs),
  );
  finish(state, id, toResult(slots, { nodeId: id, ui: state.shown.get(id) }));
}

function finish(state: JobState, id: string, result: Result): void {
  state.results.set(id, result);
  // The job's results have retained the buffers.
  state.parts.arena.release(state.held.get(id) ?? []);
  state.held.delete(id);
  const key = state.keys.get(id);
  if (key !== undefined) state.parts.cache.set(key, result);
  complete(state, id);
}

function complete(state: JobState, id: string): void {
  state.progress.finish(id);
  state.list.finish(id);
  state.results.finished(id);
  state.executed.add(id);
}

/** Reports the message of a blocker once: returns a silent blocker to pass on. */
function tellBlocked(state: JobState, id: string, blocker: Blocker): Blocker {
  if (blocker.message === undefined) return blocker;
  state.emit({
    type: 'execution_error',
    data: {
      prompt_id: state.job.jobId,
      node_id: id,
      node_type: state.graph.node(id).class_type,
      executed: [...state.executed],
      exception_message: `Execution Blocked: ${cut(blocker.message)}`,
      exception_type: 'ExecutionBlocked',
      traceback: [],
      current_inputs: {},
      current_outputs: [],
    },
  });
  return block();
}

function nodeContext(
  state: JobState,
  id: string,
  type: NodeType,
  memory: NodeContext['memory'],
): NodeContext {
  const { job, progress, graph } = state;
  return {
    jobId: job.jobId,
    nodeId: id,
    hidden: hiddenValues(state, id, type),
    types: linkedTypes(state, id),
    files: job.files,
    memory,
    signal: state.signal,
    checkpoint: state.checkpoint,
    progress(value, max, preview) {
      state.checkpoint();
      progress.update(id, value, max, preview);
    },
    wantsPreview: () => progress.wantsPreview(id),
    showText(whole) {
      const text = cutText(whole, MAX_NODE_OUTPUT_BYTES);
      state.emit({ type: 'text', data: { prompt_id: job.jobId, node_id: graph.displayId(id), text } });
    },
    now: () => new Date(),
  };
}

function typeOf(state: JobState, id: string): NodeType {
  const { class_type } = state.graph.node(id);
  const type = state.parts.catalogue.get(class_type);
  if (!type) throw new NodeFailure(id, {}, new Error(`There is no node type ${class_type}.`));
  return type;
}
