import type { DynamicGraph } from './dynamic-graph.ts';
import { createHeap } from './heap.ts';

export type ExecutionList = ReturnType<typeof createExecutionList>;

export interface ListParts {
  readonly graph: DynamicGraph;
  /** Whether the result of the node is there. */
  isKnown(id: string): boolean;
  lazyInputs(id: string): ReadonlySet<string>;
  /** Nodes that lead to an output soon go first, because people see outputs. */
  isOutput(id: string): boolean;
  /** Async nodes go first, because they can wait while others run. */
  isAsync(id: string): boolean;
}

export class DependencyCycle extends Error {
  readonly nodes: readonly string[];
  constructor(nodes: readonly string[]) {
    super('Dependency cycle detected');
    this.name = 'graph.DependencyCycleError';
    this.nodes = nodes;
  }
}

/** The distance to an output; 3 means three or more. */
type Steps = 0 | 1 | 2 | 3;

interface Pending {
  readonly id: string;
  /** Decides between nodes with the same number of steps. */
  readonly order: number;
  readonly isOutput: boolean;
  readonly waitsFor: Set<Pending>;
  readonly waiters: Set<Pending>;
  /** Never rises, because no waiter leaves before the node that it waits for. */
  steps: Steps;
  /** An output waits for it. */
  isBeforeOutput: boolean;
}

/**
 * Decides which node runs next. A node waits for unfinished nodes that it needs, but not for known results (cached, or computed
 * in this job). Lazy links do not count until the node asks for them.
 */
export function createExecutionList(parts: ListParts) {
  const { graph, isKnown, lazyInputs, isOutput, isAsync } = parts;
  const pending = new Map<string, Pending>();
  const held = new Set<string>();
  /** Nodes that became ready, by their steps. Nodes that are no longer ready stay, and are skipped when they come out. */
  const queues = [0, 1, 2, 3].map(() => createHeap<Pending>(({ order }) => order));
  let inserted = 0;

  function insert(id: string): Pending {
    const output = isOutput(id);
    const made: Pending = {
      id,
      order: inserted,
      isOutput: output,
      waitsFor: new Set(),
      waiters: new Set(),
      steps: output || isAsync(id) ? 0 : 3,
      isBeforeOutput: false,
    };
    inserted += 1;
    pending.set(id, made);
    return made;
  }

  /** Inserts in the order of ComfyUI: depth first, last input first. */
  function add(root: string): void {
    const stack = [root];
    const added: Pending[] = [];
    const links: [from: string, to: Pending][] = [];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (pending.has(id)) continue;
      const node = insert(id);
      added.push(node);
      // A target with a known result is only announced again.
      if (isKnown(id)) continue;
      const lazy = lazyInputs(id);
      for (const { input, from } of graph.links(id)) {
        if (lazy.has(input) || isKnown(from)) continue;
        stack.push(from);
        links.push([from, node]);
      }
    }
    for (const [from, to] of links) wait(pending.get(from), to);
    for (const node of added) queue(node);
  }

  function wait(from: Pending | undefined, to: Pending | undefined): void {
    if (!from || !to || from.waiters.has(to)) return;
    from.waiters.add(to);
    to.waitsFor.add(from);
    if (to.isBeforeOutput) comeCloser(from, 2);
    if (!to.isOutput || from.isBeforeOutput) return;
    from.isBeforeOutput = true;
    comeCloser(from, 1);
    for (const before of from.waitsFor) comeCloser(before, 2);
  }

  function comeCloser(node: Pending, steps: Steps): void {
    if (steps >= node.steps) return;
    node.steps = steps;
    queue(node);
  }

  function isReady(node: Pending): boolean {
    return pending.get(node.id) === node && node.waitsFor.size === 0 && !held.has(node.id);
  }

  function queue(node: Pending): void {
    if (isReady(node)) queues[node.steps]?.add(node);
  }

  return {
    add,
    /** Adds `from`, and makes `to` wait for it. */
    require(from: string, to: string): void {
      if (isKnown(from)) return;
      add(from);
      wait(pending.get(from), pending.get(to));
    },
    /** The next node to run; `undefined` while all wait for something outside. Throws on a cycle. */
    next(): string | undefined {
      for (const nodes of queues) {
        for (let node = nodes.first(); node; node = nodes.first()) {
          if (isReady(node)) return node.id;
          nodes.removeFirst();
        }
      }
      // Each remaining node waits for another one.
      if (held.size === 0 && pending.size > 0) throw new DependencyCycle([...pending.keys()]);
      return undefined;
    },
    finish(id: string): void {
      const node = pending.get(id);
      if (!node) return;
      pending.delete(id);
      held.delete(id);
      for (const waiter of node.waiters) {
        waiter.waitsFor.delete(node);
        queue(waiter);
      }
    },
    hold(id: string): void {
      held.add(id);
    },
    letGo(id: string): void {
      const node = pending.get(id);
      if (held.delete(id) && node) queue(node);
    },
    isEmpty: () => pending.size === 0,
  };
}
