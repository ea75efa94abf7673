import type { Result, ShownOutput } from '../cache/result-cache.ts';
import type { UiOutput } from '../declare/node-type.ts';
import { dependenciesFirst } from '../graph.ts';
import type { DynamicGraph } from './dynamic-graph.ts';
import type { JobState } from './job-state.ts';
import { assertShownInFolder } from './shown-files.ts';

export async function show(state: JobState, id: string, { output, meta }: ShownOutput): Promise<void> {
  assertShownInFolder(output);
  const bounded = await state.boundOutput(output, state.job.files);
  state.shown.set(id, { output: bounded, meta });
  announce(state, id, bounded, meta.display_node);
}

export function announce(
  state: JobState,
  id: string,
  output: UiOutput | null,
  display_node = state.graph.displayId(id),
): void {
  state.emit({ type: 'executed', data: { node: id, display_node, output, prompt_id: state.job.jobId } });
}

export function placeOf(graph: DynamicGraph, id: string): ShownOutput['meta'] {
  return {
    node_id: id,
    display_node: graph.displayId(id),
    parent_node: graph.parentId(id) ?? null,
    real_node_id: graph.realId(id),
  };
}

/** The outputs of the nodes that this one expanded into, at any depth. */
export function innerShown({ graph, shown }: JobState, id: string): Result['inner'] {
  const inner = new Map<string, ShownOutput>();
  for (const [at, output] of shown) {
    for (let parent = graph.parentId(at); parent !== undefined; parent = graph.parentId(parent)) {
      if (parent === id) inner.set(at, output);
    }
  }
  return inner;
}

/**
 * Shows the outputs of cached nodes besides the targets, so that a cached job shows the same as one that ran: intermediate
 * outputs, and outputs of the nodes that a node had expanded into.
 */
export async function showCached(state: JobState, hits: ReadonlyMap<string, Result>): Promise<void> {
  const { graph, job } = state;
  const shown = [...hits].filter(
    ([id, { ui, inner }]) => inner.size > 0 || (ui !== undefined && showsOnTheWay(state, id)),
  );
  if (shown.length === 0) return;
  const wanted = neededBy(graph, job.targets);
  for (const [id, { ui, inner, nodeId }] of shown) {
    if (!wanted.has(id)) continue;
    if (ui && showsOnTheWay(state, id))
      await show(state, id, { output: ui.output, meta: placeOf(graph, id) });
    for (const [innerId, { output, meta }] of inner) {
      const here = (at: string): string => renamed(at, nodeId, id);
      const parent_node = meta.parent_node === null ? null : here(meta.parent_node);
      const display_node = here(meta.display_node);
      const real_node_id = here(meta.real_node_id);
      const place = { node_id: here(innerId), display_node, parent_node, real_node_id };
      await show(state, place.node_id, { output, meta: place });
    }
  }
}

/** The targets and all their dependencies, needed or not. */
export function neededBy(graph: DynamicGraph, targets: readonly string[]): ReadonlySet<string> {
  const linksOf = (id: string) => graph.links(id).flatMap(({ from }) => (graph.has(from) ? [from] : []));
  return new Set(dependenciesFirst('', (id) => (id === '' ? targets : linksOf(id))));
}

/** Whether it has an intermediate output and did not run. */
function showsOnTheWay({ graph, parts, executed }: JobState, id: string): boolean {
  return !executed.has(id) && parts.catalogue.get(graph.node(id).class_type)?.hasIntermediateOutput === true;
}

/** The same id below a node whose id has changed. */
function renamed(at: string, before: string, now: string): string {
  return at === before || at.startsWith(`${before}.`) ? now + at.slice(before.length) : at;
}
