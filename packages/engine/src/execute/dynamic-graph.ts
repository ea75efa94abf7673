import { type Graph, type GraphNode, type InputLink, isLink, type Link, linksOf } from '../graph.ts';

export type DynamicGraph = ReturnType<typeof createDynamicGraph>;

interface Expanded {
  readonly node: GraphNode;
  readonly parentId: string;
  readonly displayId: string;
}

/** The submitted graph with the nodes that its nodes expand into. */
export function createDynamicGraph(graph: Graph) {
  const expanded = new Map<string, Expanded>();
  const links = new Map<string, readonly InputLink[]>();

  /** Throws if there is no such node. */
  function node(id: string): GraphNode {
    const found = expanded.get(id)?.node ?? (Object.hasOwn(graph, id) ? graph[id] : undefined);
    if (!found) throw new Error(`Node ${id} not found`);
    return found;
  }

  return {
    node,
    has: (id: string) => expanded.has(id) || Object.hasOwn(graph, id),
    links(id: string): readonly InputLink[] {
      const known = links.get(id);
      if (known) return known;
      const found = linksOf(node(id));
      links.set(id, found);
      return found;
    },
    add(id: string, added: GraphNode, parentId: string): void {
      expanded.set(id, { node: added, parentId, displayId: added.override_display_id ?? parentId });
    },
    /** The node that editors show in place of this one. */
    displayId: (id: string) => follow(id, (at) => expanded.get(at)?.displayId),
    parentId: (id: string) => expanded.get(id)?.parentId,
    realId: (id: string) => follow(id, (at) => expanded.get(at)?.parentId),
    snapshot: (): Graph => ({
      ...graph,
      ...Object.fromEntries([...expanded].map(([id, entry]) => [id, entry.node])),
    }),
  };
}

function follow(id: string, next: (id: string) => string | undefined): string {
  let at = id;
  for (let to = next(at); to !== undefined; to = next(at)) at = to;
  return at;
}

/** Makes the ids of an expansion unique: `<parent>.<call>.<graph>.<id>`. */
export function expansionPrefix(parentId: string, call: number): string {
  return `${parentId}.${call}.0.`;
}

/** Renames the nodes of an expansion, and the links between them. */
export function prefixGraph(graph: Graph, prefix: string): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => [
      prefix + id,
      {
        ...node,
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([name, value]) => [name, prefixLink(value, graph, prefix)]),
        ),
      },
    ]),
  );
}

export function prefixLink(value: unknown, graph: Graph, prefix: string): unknown {
  return isLink(value) && Object.hasOwn(graph, value[0])
    ? ([prefix + value[0], value[1]] satisfies Link)
    : value;
}
