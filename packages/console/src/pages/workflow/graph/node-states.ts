import { createContext, use, useSyncExternalStore } from 'react';

import type { Problem } from '../document/find-problems.ts';
import type { Widget, WorkflowNode } from '../document/workflow-nodes.ts';
import type { LiveNode } from '../live-run.ts';
import type { WorkflowModel } from '../workflow-model.ts';

/** The state of a node that changes while it is shown. */
export interface NodeState {
  readonly node: WorkflowNode | undefined;
  readonly problems: readonly Problem[];
  readonly live: LiveNode | undefined;
  /** Its output; that of the previous run until this one has some. */
  readonly output: LiveNode['output'];
  /** The preview, as an address. */
  readonly preview: string | undefined;
}

const EMPTY_STATE: NodeState = {
  node: undefined,
  problems: [],
  live: undefined,
  output: undefined,
  preview: undefined,
};

export type NodeStates = ReturnType<typeof createNodeStates>;

/** Notifies each drawn node only of its own changes, because the model changes with every key and every step of a job, and hundreds of nodes are drawn. */
export function createNodeStates() {
  const states = new Map<string, NodeState>();
  const listeners = new Map<string, Set<() => void>>();
  const get = (id: string): NodeState => states.get(id) ?? EMPTY_STATE;
  return {
    get,
    update(ids: readonly string[], model: WorkflowModel): void {
      for (const id of ids) {
        const before = get(id);
        const after = stateOf(id, model, before);
        if (after === before) continue;
        states.set(id, after);
        for (const listener of listeners.get(id) ?? []) listener();
      }
    },
    subscribe(id: string, listener: () => void): () => void {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => own.delete(listener);
    },
  };
}

function stateOf(id: string, model: WorkflowModel, before: NodeState): NodeState {
  const found = model.nodeOf(id);
  const node = isSameNode(before.node, found) ? before.node : found;
  const live = model.live.nodes.get(id) ?? insideOf(id, node, model);
  const preview = model.live.preview?.nodeId === id ? model.live.preview.url : undefined;
  const foundProblems = problemsOf(id, node, model);
  const problems = isSameList(before.problems, foundProblems) ? before.problems : foundProblems;
  const after = { node, live, output: live?.output ?? before.output, preview, problems };
  return isShallowEqual(after, before) ? before : after;
}

/** A subgraph node is running while a node inside it is. */
function insideOf(id: string, node: WorkflowNode | undefined, { live }: WorkflowModel): LiveNode | undefined {
  if (node?.kind !== 'subgraph' || !live.nodeId?.startsWith(`${id}:`)) return undefined;
  return live.nodes.get(live.nodeId);
}

/** A subgraph node has the problems of the nodes inside it. */
function problemsOf(id: string, node: WorkflowNode | undefined, model: WorkflowModel): readonly Problem[] {
  const own = model.problemsOf(id);
  if (node?.kind !== 'subgraph' || model.problems.length === 0) return own;
  const inner = model.problems.filter(({ nodeId }) => nodeId.startsWith(`${id}:`));
  return [...own, ...inner.map((problem) => ({ ...problem, input: undefined }))];
}

function isSameNode(a: WorkflowNode | undefined, b: WorkflowNode | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.title === b.title &&
    a.mode === b.mode &&
    a.kind === b.kind &&
    a.text === b.text &&
    a.description === b.description &&
    isSameList(a.widgets, b.widgets)
  );
}

function isSameList<T extends Widget | Problem>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, index) => isShallowEqual(one, b[index]));
}

function isShallowEqual(a: object, b: object | undefined): boolean {
  if (b === undefined) return false;
  const [one, other] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  // The position of a value in the file does not affect what is drawn.
  return one.every(([key, value]) => key === 'place' || Object.is(value, other[key]));
}

/** The actions of nodes on the workflow; stable functions. */
export interface GraphActions {
  readonly setValue: (nodeId: string, input: string, value: unknown) => void;
  readonly setControl: WorkflowModel['setControl'];
  readonly setNote: (nodeId: string, text: string) => void;
  readonly toggleMode: (nodeIds: readonly string[], mode: 'mute' | 'bypass') => void;
  /** Shows the inside of a subgraph node. */
  readonly enter: (id: string) => void;
}

export interface GraphContext {
  readonly states: NodeStates;
  readonly actions: GraphActions;
}

export const GraphContext = createContext<GraphContext | undefined>(undefined);

export function useGraph(): GraphContext {
  const context = use(GraphContext);
  if (!context) throw new Error('There is no graph above.');
  return context;
}

export function useNodeState(id: string): NodeState {
  const { states } = useGraph();
  return useSyncExternalStore(
    (listener) => states.subscribe(id, listener),
    () => states.get(id),
  );
}
