import type { NodeType } from '../declare/node-type.ts';
import { isLink } from '../graph.ts';
import { NodeError } from '../node-error.ts';
import { type CallResult, slotItems } from './call-node.ts';
import { expansionPrefix, prefixGraph, prefixLink } from './dynamic-graph.ts';
import type { JobState } from './job-state.ts';

/** For a graph with all its expansions, because a node that expands into itself would never end. */
const MAX_NODES = 100_000;

/** Adds the nodes of an expansion to the graph. The node goes on when the nodes of its outputs are done. */
export async function expandNode(
  state: JobState,
  id: string,
  calls: readonly CallResult[],
): Promise<CallResult[]> {
  const { graph, list, parts } = state;
  const added: string[] = [];
  const room = MAX_NODES - state.keys.size;
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
      if (added.length > room) {
        throw new NodeError('RecursionError', `The job has expanded into more than ${MAX_NODES} nodes.`);
      }
    }
    const { expand } = call;
    return { ...call, outputs: call.outputs.map((value) => prefixLink(value, expand, prefix)) };
  });
  await state.prepare(added);
  const wanted = wantedBy(renamed);
  state.results.alsoReads(id, wanted);
  for (const from of wanted) list.require(from, id);
  // Output nodes of an expansion always run, and the parent ends after them.
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
      expand ? outputs.flatMap((value) => (isLink(value) ? [value[0]] : [])) : [],
    ),
  );
}

/** The items of each slot of each call, with links replaced by their values. */
export function resolveExpansion(
  state: JobState,
  type: NodeType,
  calls: readonly CallResult[],
): (readonly (readonly unknown[])[])[] {
  return calls.map(({ expand, outputs }) =>
    outputs.map((value, slot) =>
      expand && isLink(value)
        ? (state.results.get(value[0])?.slots[value[1]] ?? [])
        : slotItems(type, slot, value),
    ),
  );
}
