import type { PromptProblem } from '@atelier/contracts';
import { linksOf } from '../graph.ts';
import { cut, problem } from './problems.ts';
import type { Draft, DraftNode } from './prompt-draft.ts';

/** The input through which validation reached a node. */
export interface Arrival {
  readonly reader: string;
  readonly input: string;
}

export interface Walk {
  /** Every node that an output needs, dependencies first. */
  readonly order: readonly string[];
  /** The outputs where the walk began have none. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** One for every node on a cycle. */
  readonly cycles: ReadonlyMap<string, PromptProblem>;
}

/** Every node of a cycle reports the cycle, so its message is bounded. */
const MAX_NAMED = 20;

interface Cycle {
  /** The position on the path where it begins. */
  readonly start: number;
  readonly first: readonly string[];
  readonly length: number;
}

interface Step {
  readonly id: string;
  readonly arrival?: Arrival;
  readonly leave?: true;
}

/** Depth first and not recursive, because a chain may be longer than the call stack. Each node is entered once. */
export function walkOutputs(draft: Draft, outputs: readonly string[]): Walk {
  const order: string[] = [];
  const arrivals = new Map<string, Arrival>();
  const cycles = new Map<string, PromptProblem>();
  const path: string[] = [];
  /** The position on the path of every node that was entered. */
  const positions = new Map<string, number | 'left'>();
  /** For each node of the path the cycle that goes back furthest, closed by the node or by its dependencies. */
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
    positions.set(id, 'left');
    order.push(id);
    if (cycle) cycles.set(id, cycleProblem(draft, id, cycle));
    close(cycle);
  }

  function enter(id: string, node: DraftNode, steps: Step[]): void {
    positions.set(id, path.length);
    path.push(id);
    closed.push(undefined);
    steps.push({ id, leave: true });
    for (const { input, from } of linksOf(node).toReversed()) {
      steps.push({ id: from, arrival: { reader: id, input } });
    }
  }

  for (const output of outputs) {
    const steps: Step[] = [{ id: output }];
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { id, arrival } = step;
      if (step.leave) {
        leave(id);
        continue;
      }
      const position = positions.get(id);
      if (typeof position === 'number') {
        const first = path.slice(position, position + MAX_NAMED);
        close({ start: position, first, length: path.length - position });
      } else if (position === undefined) {
        const node = draft.get(id);
        if (!node) continue;
        if (arrival) arrivals.set(id, arrival);
        enter(id, node, steps);
      }
    }
  }
  return { order, arrivals, cycles };
}

function cycleProblem(draft: Draft, id: string, { first, length }: Cycle): PromptProblem {
  const named = first.map((node) => `${cut(node)} (${draft.get(node)?.class_type ?? ''})`);
  const end = length > first.length ? [`… (${length} nodes)`] : named.slice(0, 1);
  return problem('dependency_cycle', 'Dependency cycle detected', [...named, ...end].join(' -> '), {
    node_id: id,
    cycle_nodes: first.map((node) => cut(node)),
  });
}
