import type { Budget } from './budget.ts';
import { bypassInput } from './bypass.ts';
import {
  ANY_TYPE,
  BYPASSED,
  type EditorInput,
  type EditorLink,
  type EditorNode,
  MUTED,
  SUBGRAPH_INPUTS,
} from './editor-graph.ts';
import { NOTES, namedIn, PRIMITIVE, REROUTE, type Scope } from './lay-out.ts';
import type { Problems } from './unreadable-workflow.ts';

/** Where the value of an input comes from. `gone` is a node that does not run. */
export type Source =
  | { readonly kind: 'output'; readonly id: string; readonly slot: number }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'gone' };

export interface TraceParts {
  readonly budget: Budget;
  readonly problems: Problems;
  /** The value of a widget of the editor's own node. */
  valueOf(scope: Scope, primitive: EditorNode): unknown;
  /** The value that a subgraph node has for an input that nothing is linked to. */
  promoted(inside: Scope, slot: number): unknown;
}

/** A place on the way: a link, in the scope that has it, and the type that is wanted of it. */
interface Place {
  readonly scope: Scope;
  readonly link: EditorLink | undefined;
  readonly type: string;
}

type Step = { readonly end: Source | undefined } | { readonly next: Place };

const NOWHERE: Step = { end: undefined };
/** A link is short as a rule; chains are dear, since every node at their end walks them again. */
const UNITS_A_LINK = 16;
const UNITS_A_STEP = 128;

/** Follows the link of an input through everything that only passes values on; `undefined` when it has no source. */
export function traceLink(scope: Scope, input: EditorInput, parts: TraceParts): Source | undefined {
  const link = linkOf(scope, input);
  if (!link) return undefined;
  parts.budget.spend(UNITS_A_LINK);
  let step = follow(scope, link, input.type, parts);
  const seen = new Map([[scope, new Set([link])]]);
  while ('next' in step) {
    const { next } = step;
    if (!next.link) return undefined;
    parts.budget.spend(UNITS_A_STEP);
    const links = seen.get(next.scope) ?? new Set();
    if (links.has(next.link)) {
      addCircle(next, parts.problems);
      return undefined;
    }
    seen.set(next.scope, links.add(next.link));
    step = follow(next.scope, next.link, next.type, parts);
  }
  return step.end;
}

function addCircle({ scope, link }: Place, problems: Problems): void {
  const node = link && scope.graph.byId.get(link.from);
  const message = 'passes on what it gets from itself. Remove one of the links of that circle.';
  if (node) problems.addOf(namedIn(scope, node), message);
  else problems.add(`A subgraph ${message}`);
}

function linkOf({ graph }: Scope, { link }: EditorInput): EditorLink | undefined {
  return link === undefined ? undefined : graph.links.get(link);
}

function follow(scope: Scope, link: EditorLink, type: string, parts: TraceParts): Step {
  if (link.from === SUBGRAPH_INPUTS && scope.host) return followOut(scope, link, type, parts);
  const node = scope.graph.byId.get(link.from);
  if (!node || NOTES.has(node.type)) return NOWHERE;
  if (node.type === REROUTE) return through(scope, node.inputs[link.fromSlot], type);
  if (node.type === PRIMITIVE) return valueStep(parts.valueOf(scope, node));
  if (node.mode === MUTED) return { end: { kind: 'gone' } };
  if (node.mode === BYPASSED) {
    const input = bypassInput(node, { slot: link.fromSlot, type }, parts.budget);
    return through(scope, input, input?.type ?? type);
  }
  const inside = scope.inner.get(node.id);
  const output = inside?.host?.subgraph.toOutput.get(link.fromSlot);
  if (inside) return { next: { scope: inside, link: output, type } };
  return { end: { kind: 'output', id: scope.prefix + node.id, slot: link.fromSlot } };
}

function through(scope: Scope, input: EditorInput | undefined, type: string): Step {
  return input ? { next: { scope, link: linkOf(scope, input), type } } : NOWHERE;
}

/** From an input of a subgraph to what its node is linked to, or to the value that the node has instead. */
function followOut(inside: Scope, link: EditorLink, type: string, parts: TraceParts): Step {
  const { host } = inside;
  if (!host) return NOWHERE;
  const name = host.subgraph.inputNames[link.fromSlot];
  // By its name, since inputs that are widgets without a link may have been left out of the file.
  const input = name === undefined ? undefined : host.node.inputByName.get(name);
  const outer = input && linkOf(host.scope, input);
  if (!input || !outer) return valueStep(parts.promoted(inside, link.fromSlot));
  return { next: { scope: host.scope, link: outer, type: input.type === ANY_TYPE ? type : input.type } };
}

function valueStep(value: unknown): Step {
  return value === undefined || value === null ? NOWHERE : { end: { kind: 'value', value } };
}
