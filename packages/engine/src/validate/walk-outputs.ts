import type { PromptProblem } from '@atelier/contracts';
import { isLink } from '../graph.ts';
import { cut, problem } from './problems.ts';
import type { Draft, DraftNode } from './prompt-draft.ts';

/** The input through which validation came to a node. */
export interface Arrival {
  readonly reader: string;
  readonly input: string;
}

export interface Walk {
  /** Every node that an output needs, those it needs first. */
  readonly order: readonly string[];
  /** Outputs that were begun with have none. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** For every node on a cycle: what is wrong. */
  readonly cycles: ReadonlyMap<string, PromptProblem>;
}

/** So many nodes of a cycle are named; each node of it tells the cycle. */
const MAX_NAMED = 20;

interface Cycle {
  /** Where on the path it begins. */
  readonly start: number;
  readonly first: readonly string[];
  readonly length: number;
}

interface Step {
  readonly id: string;
  readonly arrival?: Arrival;
  readonly leave?: true;
}

/** Depth first with a path of its own, since a chain may be longer than the call stack; each node is entered once. */
export function walkOutputs(draft: Draft, outputs: readonly string[]): Walk {
  const order: string[] = [];
  const arrivals = new Map<string, Arrival>();
  const cycles = new Map<string, PromptProblem>();
  const entered = new Set<string>();
  const path: string[] = [];
  const positions = new Map<string, number>();
  /** For each node of the path the cycle that goes back furthest, among those that it or what it needs has closed. */
  const closed: (Cycle | undefined)[] = [];

  function close(cycle: Cycle | undefined): void {
    const top = path.length - 1;
    if (cycle && cycle.start <= top && cycle.start < (closed[top]?.start ?? Number.POSITIVE_INFINITY))
      closed[top] = cycle;
  }

  function leave(id: string): void {
    const cycle = closed[path.length - 1];
    path.pop();
    closed.length = path.length;
    positions.delete(id);
    order.push(id);
    if (cycle) cycles.set(id, cycleProblem(draft, id, cycle));
    close(cycle);
  }

  for (const output of outputs) {
    const steps: Step[] = [{ id: output }];
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { id, arrival } = step;
      const start = positions.get(id);
      const node = draft.get(id);
      if (step.leave) leave(id);
      else if (start !== undefined)
        close({ start, first: path.slice(start, start + MAX_NAMED), length: path.length - start });
      else if (node && !entered.has(id)) {
        entered.add(id);
        if (arrival) arrivals.set(id, arrival);
        positions.set(id, path.length);
        path.push(id);
        closed.push(undefined);
        steps.push({ id, leave: true });
        for (const [input, from] of linksOf(node).toReversed())
          steps.push({ id: from, arrival: { reader: id, input } });
      }
    }
  }
  return { order, arrivals, cycles };
}

/** Its links, by input. */
export function linksOf(node: DraftNode): (readonly [input: string, from: string])[] {
  const links: (readonly [input: string, from: string])[] = [];
  for (const input of Object.keys(node.inputs)) {
    const value = node.inputs[input];
    if (isLink(value)) links.push([input, value[0]]);
  }
  return links;
}

function cycleProblem(draft: Draft, id: string, { first, length }: Cycle): PromptProblem {
  const named = first.map((node) => `${cut(node)} (${draft.get(node)?.class_type ?? ''})`);
  const end = length > first.length ? [`… (${length} nodes)`] : named.slice(0, 1);
  return problem('dependency_cycle', 'Dependency cycle detected', [...named, ...end].join(' -> '), {
    node_id: id,
    cycle_nodes: first.map((node) => cut(node)),
  });
}
