import { isLink } from '../graph.ts';
import { NodeError } from '../node-error.ts';
import type { CallResult } from './call-node.ts';
import { expansionPrefix, prefixGraph, prefixLink } from './dynamic-graph.ts';
import type { JobState } from './job-state.ts';

/** Puts the nodes of an expansion into the graph; the node goes on when those it takes its outputs from are done. */
export async function expandNode(
  state: JobState,
  id: string,
  calls: readonly CallResult[],
): Promise<CallResult[]> {
  const { graph, list, parts } = state;
  const added: string[] = [];
  const renamed = calls.map((call, index): CallResult => {
    if (!call.expand) return call;
    const prefix = expansionPrefix(id, index);
    for (const [newId, node] of Object.entries(prefixGraph(call.expand, prefix))) {
      if (!parts.catalogue.get(node.class_type)) {
        throw new NodeError(
          'ValueError',
          `The expansion uses ${node.class_type}, which is not a node type here.`,
        );
      }
      graph.add(newId, node, id);
      added.push(newId);
    }
    const { expand } = call;
    return { ...call, outputs: (call.outputs ?? []).map((value) => prefixLink(value, expand, prefix)) };
  });
  await state.prepare(added);
  const wanted = wantedBy(renamed);
  state.results.alsoReads(id, wanted);
  for (const from of wanted) list.require(from, id);
  // Output nodes inside are reasons to run of their own, and the parent ends after them.
  for (const newId of added) {
    if (parts.catalogue.get(graph.node(newId).class_type)?.outputNode) {
      list.add(newId);
      list.require(newId, id);
    }
  }
  return renamed;
}

function wantedBy(calls: readonly CallResult[]): Set<string> {
  return new Set(
    calls.flatMap(({ expand, outputs }) =>
      expand ? (outputs ?? []).flatMap((v) => (isLink(v) ? [v[0]] : [])) : [],
    ),
  );
}

/** The outputs of each call, links replaced by the values they lead to. */
export function resolveExpansion(state: JobState, calls: readonly CallResult[]): (readonly unknown[])[] {
  return calls.flatMap(({ expand, outputs = [] }): (readonly unknown[])[] => {
    if (!expand) return [outputs];
    const slots = outputs.map((value): readonly unknown[] =>
      isLink(value) ? (state.results.get(value[0])?.slots[value[1]] ?? []) : [value],
    );
    const rows = Math.max(0, ...slots.map((slot) => slot.length));
    return Array.from({ length: rows }, (_, row) =>
      slots.map((slot) => slot[Math.min(row, slot.length - 1)]),
    );
  });
}
