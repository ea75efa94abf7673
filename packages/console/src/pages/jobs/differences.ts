import { graphNodes, linkedNode, valueText } from '../job/graph-nodes.ts';

/** A setting that differs between two jobs; `undefined` if a job does not have it. */
export interface Difference {
  readonly key: string;
  readonly node: string;
  readonly input: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

type Graph = Readonly<Record<string, unknown>>;
type Settings = Map<string, Omit<Difference, 'a' | 'b'> & { readonly text: string }>;

/** Compares two workflows input by input. Nodes match if id and type are equal. */
export function compareSettings(a: Graph, b: Graph): { differing: Difference[]; sameCount: number } {
  const [left, right] = [settingsOf(a), settingsOf(b)];
  const all = new Map([...left, ...right]);
  const rows = [...all.values()].map(({ key, node, input }) => ({
    key,
    node,
    input,
    a: left.get(key)?.text,
    b: right.get(key)?.text,
  }));
  const differing = rows.filter((row) => row.a !== row.b);
  return { differing, sameCount: rows.length - differing.length };
}

function settingsOf(graph: Graph): Settings {
  const nodes = graphNodes(graph);
  const settings: Settings = new Map();
  for (const { id, type, title, inputs } of nodes.values()) {
    for (const [input, value] of inputs) {
      const key = JSON.stringify([id, type, input]);
      const from = linkedNode(value, nodes);
      const text = from ? `← ${from.title} (${from.id})` : valueText(value);
      settings.set(key, { key, node: title, input, text });
    }
  }
  return settings;
}
