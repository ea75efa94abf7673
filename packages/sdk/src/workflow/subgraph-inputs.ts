import { WorkflowInputError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { inputNames, listOf, type Place, sourceOf, widgetLinksOf } from './editor-places.ts';
import { readPromoted, writePromoted } from './promoted-values.ts';

interface Parts {
  readonly byId: ReadonlyMap<string, Place>;
  /** The node's own value, regardless of the subgraphs around it. */
  readonly own: (place: Place, input: string) => unknown;
}

/** The value that an input of a subgraph node, or of a node inside one, has when the workflow runs. */
export function readInput(place: Place, input: string, parts: Parts): unknown {
  const { host, inside } = place;
  const source = host && sourceOf(place, input);
  if (host && source && 'input' in source) return readInput(host, source.input, parts);
  let outer: unknown;
  let path = idOf(place);
  for (let at = host; at; at = at.host) {
    outer = readPromoted(at, [path, input]) ?? outer;
    path = `${idOf(at)}:${path}`;
  }
  if (outer !== undefined) return outer;
  if (!inside) return parts.own(place, input);
  const links = widgetLinksOf(inside).filter(({ slot }) => inputNames(inside)[slot] === input);
  const ways = [['-1', input] as const, ...links.map(({ nodeId, widget }) => [nodeId, widget] as const)];
  const promoted = ways.map((way) => readPromoted(place, way)).find((value) => value !== undefined);
  const [first] = links;
  const inner = first && parts.byId.get(`${place.id}:${first.nodeId}`);
  if (promoted !== undefined || !first || !inner) return promoted;
  return inner.inside
    ? readInput({ ...inner, host: undefined }, first.widget, parts)
    : parts.own(inner, first.widget);
}

/** Sets it for this use of the subgraph only, or throws. */
export function writeInput(place: Place, input: string, value: unknown): void {
  const { host, node } = place;
  if (!host) {
    for (const one of listOf(node['inputs']).filter(isObject)) if (one['name'] === input) one['link'] = null;
    writePromoted(place, ['-1', input], value);
    return;
  }
  const source = sourceOf(place, input);
  if (source && 'node' in source) {
    throw new WorkflowInputError(
      `${place.id}.${input} comes from node ${host.id}:${source.node} of the subgraph. Set that node, or take the link out in the editor.`,
    );
  }
  if (source) {
    const { inside = {} } = host;
    const linked = widgetLinksOf(inside).filter(({ slot }) => inputNames(inside)[slot] === source.input);
    if (linked.length > 1) {
      const name = `${host.id}.${source.input}`;
      throw new WorkflowInputError(
        `${place.id}.${input} has its value in common with ${linked.length - 1} more in the subgraph. Set ${name}, which is for all of them.`,
        [name],
      );
    }
    writeInput(host, source.input, value);
    return;
  }
  let path = idOf(place);
  let top = host;
  for (; top.host; top = top.host) path = `${idOf(top)}:${path}`;
  writePromoted(top, [path, input], value);
}

function idOf({ node }: Place): string {
  return String(node['id']);
}
