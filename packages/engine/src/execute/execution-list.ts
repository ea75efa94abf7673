import type { DynamicGraph } from './dynamic-graph.ts';

/**
 * Which node runs next. A node waits while a node it needs has not finished; what is already known (cached, or computed
 * in this job) is never waited for. Lazy links do not count until the node asks for them.
 */
export interface ExecutionList {
  /** Adds the node and what it needs. */
  add(id: string): void;
  /** Makes `to` wait for `from`, which is added. */
  require(from: string, to: string): void;
  /** The node to run now; `undefined` while all wait for something outside. Throws on a cycle. */
  next(): string | undefined;
  finish(id: string): void;
  /** Holds the node back until something outside has happened. */
  hold(id: string): void;
  letGo(id: string): void;
  isEmpty(): boolean;
  isPending(id: string): boolean;
}

export interface ListParts {
  readonly graph: DynamicGraph;
  /** Its result is at hand. */
  isKnown(id: string): boolean;
  isLazy(id: string, input: string): boolean;
  /** It shows or saves something, or waits outside: people see such nodes, so they go first. */
  isVisible(id: string): boolean;
}

export class DependencyCycle extends Error {
  readonly nodes: readonly string[];
  constructor(nodes: readonly string[]) {
    super('Dependency cycle detected');
    this.name = 'graph.DependencyCycleError';
    this.nodes = nodes;
  }
}

export function createExecutionList({ graph, isKnown, isLazy, isVisible }: ListParts): ExecutionList {
  /** With the order of insertion, which decides between equals. */
  const pending = new Map<string, number>();
  let inserted = 0;
  const waitingFor = new Map<string, number>();
  const waiters = new Map<string, Set<string>>();
  const held = new Set<string>();
  /** Nodes nothing blocks, so that choosing does not look at every pending node. */
  const ready = new Set<string>();

  function insert(id: string): boolean {
    if (pending.has(id)) return false;
    pending.set(id, inserted);
    inserted += 1;
    waitingFor.set(id, 0);
    waiters.set(id, new Set());
    ready.add(id);
    return true;
  }

  /** The order of insertion is the host's: depth first, last input first. */
  function add(root: string): void {
    const stack = [root];
    const links: [from: string, to: string][] = [];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      // A target whose result is known is only announced again.
      if (!insert(id) || isKnown(id)) continue;
      for (const { input, from } of graph.links(id)) {
        if (isLazy(id, input) || isKnown(from)) continue;
        stack.push(from);
        links.push([from, id]);
      }
    }
    for (const [from, to] of links) wait(from, to);
  }

  function wait(from: string, to: string): void {
    const blocked = waiters.get(from);
    if (!blocked || blocked.has(to)) return;
    blocked.add(to);
    waitingFor.set(to, (waitingFor.get(to) ?? 0) + 1);
    ready.delete(to);
  }

  /** Visible nodes first, then those one and two steps before a visible one, then the first that came. */
  function choose(candidates: ReadonlySet<string>): string | undefined {
    let best: string | undefined;
    let bestSteps = Number.POSITIVE_INFINITY;
    let bestOrder = Number.POSITIVE_INFINITY;
    for (const id of candidates) {
      const order = pending.get(id) ?? 0;
      const steps = stepsToVisible(id);
      if (steps > bestSteps || (steps === bestSteps && order > bestOrder)) continue;
      best = id;
      bestSteps = steps;
      bestOrder = order;
    }
    return best;
  }

  function stepsToVisible(id: string): number {
    if (isVisible(id)) return 0;
    const direct = waiters.get(id) ?? [];
    for (const waiter of direct) if (isVisible(waiter)) return 1;
    for (const waiter of direct) {
      for (const further of waiters.get(waiter) ?? []) if (isVisible(further)) return 2;
    }
    return 3;
  }

  function settle(id: string): void {
    if (pending.has(id) && waitingFor.get(id) === 0 && !held.has(id)) ready.add(id);
  }

  return {
    add,
    require(from, to) {
      if (isKnown(from)) return;
      add(from);
      wait(from, to);
    },
    next() {
      if (ready.size === 0) {
        if (held.size === 0 && pending.size > 0) throw new DependencyCycle(cycleAmong(pending.keys(), graph));
        return undefined;
      }
      return choose(ready);
    },
    finish(id) {
      pending.delete(id);
      ready.delete(id);
      held.delete(id);
      waitingFor.delete(id);
      for (const waiter of waiters.get(id) ?? []) {
        waitingFor.set(waiter, (waitingFor.get(waiter) ?? 1) - 1);
        settle(waiter);
      }
      waiters.delete(id);
    },
    hold(id) {
      held.add(id);
      ready.delete(id);
    },
    letGo(id) {
      held.delete(id);
      settle(id);
    },
    isEmpty: () => pending.size === 0,
    isPending: (id) => pending.has(id),
  };
}

/** Nodes that can never run because each waits for another of them, found by removing those that wait for none. */
function cycleAmong(pending: Iterable<string>, graph: DynamicGraph): string[] {
  const left = new Set(pending);
  for (let removed = true; removed; ) {
    removed = false;
    for (const id of left) {
      if (graph.links(id).some(({ from }) => left.has(from))) continue;
      left.delete(id);
      removed = true;
    }
  }
  return [...left];
}
