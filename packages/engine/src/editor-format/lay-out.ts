import type { NodeCatalogue } from '../catalogue.ts';
import type { Budget } from './budget.ts';
import { BYPASSED, type EditorGraph, type EditorNode, MUTED } from './editor-graph.ts';
import type { Subgraph, Subgraphs } from './subgraphs.ts';
import type { Problems } from './unreadable-workflow.ts';

/** The whole workflow, or one use of a subgraph. */
export interface Scope {
  readonly graph: EditorGraph;
  /** What ids of nodes here begin with in the API format: `5:2:`. */
  readonly prefix: string;
  /** The node that this is the inside of. */
  readonly host: Host | undefined;
  /** The insides of subgraph nodes here, by their id. */
  readonly inner: ReadonlyMap<string, Scope>;
}

interface Host {
  readonly scope: Scope;
  readonly node: EditorNode;
  readonly subgraph: Subgraph;
}

export interface PlacedNode {
  readonly scope: Scope;
  readonly node: EditorNode;
}

interface LayOutParts {
  readonly catalogue: NodeCatalogue;
  readonly subgraphs: Subgraphs;
  readonly budget: Budget;
  readonly problems: Problems;
}

export const REROUTE = 'Reroute';
export const PRIMITIVE = 'PrimitiveNode';
export const NOTES: ReadonlySet<string> = new Set(['Note', 'MarkdownNote']);

const MAX_DEPTH = 64;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Puts the inside of every subgraph node in its place; nodes that are only the editor's, muted or bypassed are left out. */
export function layOut(graph: EditorGraph, parts: LayOutParts): readonly PlacedNode[] {
  const placed: PlacedNode[] = [];
  openScope({ graph, prefix: '', host: undefined }, placed, parts);
  return placed;
}

function openScope(inside: Omit<Scope, 'inner'>, placed: PlacedNode[], parts: LayOutParts): Scope {
  const inner = new Map<string, Scope>();
  const scope: Scope = { ...inside, inner };
  for (const node of scope.graph.nodes) {
    parts.budget.spend(scope.prefix.length + node.id.length + node.inputs.length + 1);
    if (isEditorsOwn(node) || node.mode === MUTED || node.mode === BYPASSED) continue;
    const subgraph = parts.subgraphs.get(node.type);
    if (!subgraph) {
      if (mayRun(scope, node, parts)) placed.push({ scope, node });
    } else if (mayOpen(scope, node, subgraph, parts)) {
      parts.budget.spend(subgraph.inputNames.length + node.proxies.length + (node.values.list?.length ?? 0));
      const prefix = `${scope.prefix}${node.id}:`;
      const next = { graph: subgraph.graph, prefix, host: { scope, node, subgraph } };
      inner.set(node.id, openScope(next, placed, parts));
    }
  }
  return scope;
}

function isEditorsOwn({ type }: EditorNode): boolean {
  return type === REROUTE || type === PRIMITIVE || NOTES.has(type);
}

/** Other unknown types are reported by validation. */
function mayRun(scope: Scope, node: EditorNode, { catalogue, problems }: LayOutParts): boolean {
  const { type } = node;
  if (catalogue.get(type)) return true;
  if (UUID.test(type)) {
    problems.addOf(
      namedIn(scope, node),
      'is a subgraph that the file does not define. Open the workflow in the editor, put the subgraph in again and save it.',
    );
    return false;
  }
  if (/^workflow[>/]/.test(type)) {
    problems.addOf(
      namedIn(scope, node),
      'is a group node, which is no longer supported. Convert it to a subgraph in the editor.',
    );
    return false;
  }
  return true;
}

function mayOpen(scope: Scope, node: EditorNode, subgraph: Subgraph, { problems }: LayOutParts): boolean {
  let depth = 0;
  for (let { host } = scope; host; { host } = host.scope) {
    depth++;
    if (host.subgraph === subgraph) {
      problems.addOf(namedIn(scope, node), 'is a subgraph that contains itself. Take it out of itself.');
      return false;
    }
  }
  if (depth < MAX_DEPTH) return true;
  problems.addOf(
    namedIn(scope, node),
    `is a subgraph inside ${MAX_DEPTH} others, which is the limit. Unpack some of them.`,
  );
  return false;
}

/** For a problem: the node with the id it has in the API format. */
export function namedIn(
  { prefix }: Scope,
  { id, type, title }: EditorNode,
): Pick<EditorNode, 'id' | 'type' | 'title'> {
  return { id: prefix + id, type, title };
}
