import { type Graph, type GraphNode, isLink, type Link } from '../graph.ts';

export type DynamicGraph = ReturnType<typeof createDynamicGraph>;

interface InputLink {
  readonly input: string;
  readonly from: string;
  readonly slot: number;
}

interface Expanded {
  readonly node: GraphNode;
  readonly parentId: string;
  readonly displayId: string;
}

/** The submitted graph and what its nodes expanded into while it runs. */
export function createDynamicGraph(graph: Graph) {
  const expanded = new Map<string, Expanded>();
  const links = new Map<string, readonly InputLink[]>();

  /** Throws for a node that is not there: a link to nowhere. */
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
    /** The node that editors know in place of this one. */
    displayId: (id: string) => follow(id, (at) => expanded.get(at)?.displayId),
    parentId: (id: string) => expanded.get(id)?.parentId,
    realId: (id: string) => follow(id, (at) => expanded.get(at)?.parentId),
    snapshot: (): Graph => ({
      ...graph,
      ...Object.fromEntries([...expanded].map(([id, entry]) => [id, entry.node])),
    }),
  };
}

function linksOf({ inputs }: GraphNode): InputLink[] {
  return Object.entries(inputs).flatMap(([input, value]) =>
    isLink(value) ? [{ input, from: value[0], slot: value[1] }] : [],
  );
}

function follow(id: string, next: (id: string) => string | undefined): string {
  let at = id;
  for (let to = next(at); to !== undefined; to = next(at)) at = to;
  return at;
}

/** Ids of an expansion do not clash with those of others: `<parent>.<call>.<graph>.<id>`. */
export function expansionPrefix(parentId: string, call: number): string {
  return `${parentId}.${call}.0.`;
}

/** The expansion under its new ids; links between its own nodes follow, links to others stay. */
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
