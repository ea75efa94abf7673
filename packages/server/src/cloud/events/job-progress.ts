import type { NodeProgress, V2Progress } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { type EngineEvent, parseJson } from '@atelier/engine';

import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

interface Graph {
  /** Both are JSON. */
  readonly graph: string;
  readonly targets: string;
}

type Step = Pick<NodeProgress, 'node_id' | 'display_node_id' | 'state' | 'value' | 'max'>;

export type JobProgress = ReturnType<typeof createJobProgress>;

/** The progress of a job, computed from its events. The graph is parsed at the first read: most jobs are never asked for it. */
export function createJobProgress(job: Graph) {
  const done = new Set<string>();
  let current: Step | undefined;
  let steps: { readonly node: string; readonly value: number; readonly max: number } | undefined;
  let classes: ReadonlyMap<string, string> | undefined;
  let highest = 0;

  function noteStep(step: Step): void {
    if (step.state === 'running') current = step;
    else if (step.state === 'finished') done.add(step.node_id);
  }

  return {
    note(event: EngineEvent): void {
      if (event.type === 'node_progress') noteStep(event.data);
      else if (event.type === 'progress') steps = event.data;
      else if (event.type === 'execution_cached') for (const id of event.data.nodes) done.add(id);
    },
    /** The same for `progress_state`, which has all nodes at once. */
    noteState(nodes: Readonly<Record<string, Step>>): void {
      for (const step of Object.values(nodes)) noteStep(step);
    },
    read(): V2Progress {
      classes ??= neededClasses(job);
      const total = classes.size;
      let count = 0;
      for (const id of classes.keys()) if (done.has(id)) count += 1;
      const active = current && !done.has(current.node_id) ? current : undefined;
      const share = active && active.max > 0 ? active.value / active.max : 0;
      // Work within an expansion is not counted, so the share may fall back.
      highest = Math.max(
        highest,
        Math.min(1, total === 0 ? 1 : (count + Math.min(1, Math.max(0, share))) / total),
      );
      const shown = active?.display_node_id;
      const at = active && steps?.node === active.node_id ? steps : undefined;
      return {
        value: Math.round(highest * 10_000) / 10_000,
        nodes_done: count,
        nodes_total: total,
        current_node: shown ?? null,
        current_node_class: classes.get(shown ?? '') ?? null,
        step: at ? Math.trunc(at.value) : null,
        steps: at ? Math.trunc(at.max) : null,
        message: null,
      };
    },
  };
}

/** The type of each node that the targets need, by its id. */
function neededClasses({ graph, targets }: Graph): ReadonlyMap<string, string> {
  // JSON.parse is several times as fast, and neither types nor links have numbers that it would change.
  const nodes = parseJsonOrUndefined(graph) ?? parseJson(graph);
  const found = new Map<string, string>();
  if (!isObject(nodes)) return found;
  const waiting = parseJson(targets) as string[];
  while (waiting.length > 0) {
    const id = waiting.pop() ?? '';
    const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
    if (found.has(id) || !isObject(node)) continue;
    found.set(id, String(node['class_type']));
    for (const value of Object.values(isObject(node['inputs']) ? node['inputs'] : {})) {
      if (Array.isArray(value) && value.length === 2 && typeof value[0] === 'string') waiting.push(value[0]);
    }
  }
  return found;
}
