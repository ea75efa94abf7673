import type { PromptProblem } from '@atelier/contracts';
import { isLink } from '../graph.ts';
import { problem } from './problems.ts';
import type { Draft } from './validate-node.ts';

/** For every node on a cycle that an output leads to: the cycle it is on. */
export function findCycles(draft: Draft, roots: readonly string[]): Map<string, PromptProblem> {
  const cycles = new Map<string, PromptProblem>();
  const done = new Set<string>();
  for (const root of roots) walk(draft, root, done, cycles);
  return cycles;
}

/** Depth first with a path of its own, since a chain may be longer than the call stack. */
function walk(draft: Draft, root: string, done: Set<string>, cycles: Map<string, PromptProblem>): void {
  const path: string[] = [];
  const onPath = new Set<string>();
  const stack: { readonly id: string; readonly leave: boolean }[] = [{ id: root, leave: false }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { id } = at;
    if (at.leave) {
      path.pop();
      onPath.delete(id);
      done.add(id);
      continue;
    }
    if (onPath.has(id)) {
      report(draft, path.slice(path.indexOf(id)), cycles);
      continue;
    }
    const node = Object.hasOwn(draft, id) ? draft[id] : undefined;
    if (done.has(id) || !node) continue;
    path.push(id);
    onPath.add(id);
    stack.push({ id, leave: true });
    for (const value of Object.values(node.inputs))
      if (isLink(value)) stack.push({ id: value[0], leave: false });
  }
}

function report(draft: Draft, nodes: readonly string[], cycles: Map<string, PromptProblem>): void {
  const named = [...nodes, ...nodes.slice(0, 1)].map((id) => `${id} (${draft[id]?.class_type ?? ''})`);
  for (const id of nodes) {
    if (cycles.has(id)) continue;
    cycles.set(
      id,
      problem('dependency_cycle', 'Dependency cycle detected', named.join(' -> '), {
        node_id: id,
        cycle_nodes: nodes,
      }),
    );
  }
}
