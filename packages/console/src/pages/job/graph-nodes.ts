import { toExactJson } from '@atelier/sdk';

/** A node of a workflow in the API format, as far as it is readable. */
export interface GraphNode {
  readonly id: string;
  readonly type: string;
  /** The title of the node. */
  readonly title: string;
  readonly inputs: readonly (readonly [name: string, value: unknown])[];
}

type Graph = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Graph =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function graphNodes(prompt: Graph): Map<string, GraphNode> {
  const nodes = new Map<string, GraphNode>();
  for (const [id, node] of Object.entries(prompt)) {
    if (!isObject(node)) continue;
    const type = typeof node['class_type'] === 'string' ? node['class_type'] : '';
    const meta = isObject(node['_meta']) ? node['_meta']['title'] : undefined;
    nodes.set(id, {
      id,
      type,
      title: typeof meta === 'string' && meta !== '' ? meta : type || id,
      inputs: isObject(node['inputs']) ? Object.entries(node['inputs']) : [],
    });
  }
  return nodes;
}

/** The node that an input is linked to; `undefined` for a value. */
export function linkedNode(value: unknown, nodes: ReadonlyMap<string, GraphNode>): GraphNode | undefined {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[1] !== 'number') return undefined;
  return nodes.get(String(value[0]));
}

/** A value formatted for people. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) return toExactJson(value);
  return String(value);
}
