import { WorkflowInputError } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { feedsOf, inputNames, listOf, type Place, sourceOf } from './editor-places.ts';
import { readPromoted, writePromoted } from './promoted-values.ts';

interface Parts {
  readonly byId: ReadonlyMap<string, Place>;
  /** The value that a node has of its own, whatever is around it. */
  readonly own: (place: Place, input: string) => unknown;
}

/** What an input of a subgraph node, or of a node inside one, will be when the workflow runs. */
export function readInput(place: Place, input: string, parts: Parts): unknown {
  const { host, inside } = place;
  const source = host && sourceOf(place, input);
  if (host && source && 'input' in source) return readInput(host, source.input, parts);
  let said: unknown;
  let path = idOf(place);
  for (let at = host; at; at = at.host) {
    said = readPromoted(at, [path, input]) ?? said;
    path = `${idOf(at)}:${path}`;
  }
  if (said !== undefined) return said;
  if (!inside) return parts.own(place, input);
  const feeds = feedsOf(inside).filter(({ slot }) => inputNames(inside)[slot] === input);
  const ways = [['-1', input] as const, ...feeds.map(({ nodeId, widget }) => [nodeId, widget] as const)];
  const promoted = ways.map((way) => readPromoted(place, way)).find((value) => value !== undefined);
  const [first] = feeds;
  const inner = first && parts.byId.get(`${place.id}:${first.nodeId}`);
  if (promoted !== undefined || !first || !inner) return promoted;
  return inner.inside
    ? readInput({ ...inner, host: undefined }, first.widget, parts)
    : parts.own(inner, first.widget);
}

/** Sets it for this use of the subgraph and for nothing else, or throws. */
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
    const fed = feedsOf(inside).filter(({ slot }) => inputNames(inside)[slot] === source.input);
    if (fed.length > 1) {
      const name = `${host.id}.${source.input}`;
      throw new WorkflowInputError(
        `${place.id}.${input} has its value in common with ${fed.length - 1} more in the subgraph. Set ${name}, which is for all of them.`,
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
