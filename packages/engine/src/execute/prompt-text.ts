import type { NodeCatalogue } from '../catalogue.ts';
import { flatInputs } from '../declare/flat-inputs.ts';
import { dependenciesFirst, type GraphNode, linksOf } from '../graph.ts';
import { orderedIds } from '../parse-prompt.ts';
import { pythonJson } from '../python/python-json.ts';
import { asFloat } from '../python/python-number.ts';
import type { Job } from './job-state.ts';

type Submitted = Pick<Job, 'graph' | 'order' | 'targets'>;

const texts = new WeakMap<Submitted, string>();

/**
 * The submitted graph as ComfyUI writes it into files: in its submitted order, with converted values for the nodes that a target
 * needs. Other nodes stay as they were submitted.
 */
export function promptText(job: Submitted, catalogue: NodeCatalogue): string {
  const known = texts.get(job);
  if (known !== undefined) return known;
  const { graph, order, targets } = job;
  const sourcesOf = (id: string) => linksOf(graph[id] ?? { inputs: {} }).map(({ from }) => from);
  const needed = new Set(dependenciesFirst('', (id) => (id === '' ? targets : sourcesOf(id))));
  const nodes = orderedIds(graph, order).map((id) => {
    const node = graph[id];
    return [id, node && needed.has(id) ? withFloats(node, catalogue) : node] as const;
  });
  const text = pythonJson(new Map(nodes));
  texts.set(job, text);
  return text;
}

/** Numbers of FLOAT inputs as floats: 1 is 1.0. */
function withFloats(node: GraphNode, catalogue: NodeCatalogue): unknown {
  const type = catalogue.get(node.class_type);
  const declared = type ? flatInputs(type, node.inputs) : [];
  const floats = new Set(declared.flatMap(({ name, input }) => (input.kind === 'float' ? [name] : [])));
  const inputs = Object.entries(node.inputs).map(
    ([name, value]) =>
      [name, typeof value === 'number' && floats.has(name) ? asFloat(value) : value] as const,
  );
  return { ...node, inputs: Object.fromEntries(inputs) };
}
