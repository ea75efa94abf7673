import { WorkflowInputError } from '../errors.ts';
import { similarNames } from './similar-names.ts';

/** A node with the names of its inputs, from either format. */
export interface NamedNode {
  readonly id: string;
  readonly type: string;
  readonly title: string | undefined;
  /** The inputs whose values can be set. */
  readonly inputs: () => readonly string[];
}

/**
 * The node and input that `3.seed`, `KSampler.seed` or `My sampler.seed` names: an id wins over a title, and a title over a type. Titles
 * and inputs may contain dots, so every dot is tried.
 */
export function findInput<Node extends NamedNode>(nodes: readonly Node[], name: string) {
  const splits = [...name.matchAll(/\./g)].map(({ index }) => ({
    place: name.slice(0, index),
    input: name.slice(index + 1),
  }));
  if (splits.length === 0) {
    throw new WorkflowInputError(`"${name}" does not name an input: write it as node.input, such as 3.seed.`);
  }
  let nearest: WorkflowInputError | undefined;
  for (const { place, input } of splits) {
    const found = nodesCalled(nodes, place);
    const fitting = found.length > 1 ? found.filter((node) => node.inputs().includes(input)) : found;
    const [node] = fitting;
    if (fitting.length > 1) throw ambiguous(place, input, fitting);
    if (node?.inputs().includes(input)) return { node, input };
    if (node ?? found[0]) nearest = noInput(node ?? (found[0] as Node), input);
  }
  throw nearest ?? noNode(nodes, splits[0]?.place ?? name);
}

function nodesCalled<Node extends NamedNode>(nodes: readonly Node[], place: string): readonly Node[] {
  const ways = [
    (node: Node) => node.id === place,
    (node: Node) => node.title === place,
    (node: Node) => node.type === place,
  ];
  for (const way of ways) {
    const found = nodes.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}

function ambiguous(place: string, input: string, nodes: readonly NamedNode[]): WorkflowInputError {
  const names = nodes.slice(0, 10).map(({ id }) => `${id}.${input}`);
  return new WorkflowInputError(
    `${nodes.length} nodes are called ${place}. Name one by its id: ${names.join(', ')}.`,
    names,
  );
}

function noInput(node: NamedNode, input: string): WorkflowInputError {
  const inputs = node.inputs();
  const near = similarNames(input, inputs);
  const hint =
    near.length > 0
      ? ` Did you mean ${near.join(', ')}?`
      : ` It has ${inputs.length === 0 ? 'none' : inputs.slice(0, 20).join(', ')}.`;
  return new WorkflowInputError(`Node ${node.id} (${node.type}) has no input ${input}.${hint}`, near);
}

function noNode(nodes: readonly NamedNode[], place: string): WorkflowInputError {
  const names = nodes.flatMap(({ id, type, title }) => [id, title ?? type, type]);
  const near = similarNames(place, names);
  const some = nodes
    .slice(0, 20)
    .map(({ id, type, title }) => `${id} (${title ?? type})`)
    .join(', ');
  const hint =
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `It has ${some === '' ? 'none' : some}.`;
  return new WorkflowInputError(`The workflow has no node ${place}. ${hint}`, near);
}
