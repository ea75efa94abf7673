import { WorkflowInputError } from '../errors.ts';
import { isObject } from '../is-object.ts';

export type Raw = Record<string, unknown>;

/** A node of a file of the editor, at the place where it runs: a node of a subgraph has one for each use of it. */
export interface Place {
  /** As the server names it: the ids that lead to it, joined by colons. */
  readonly id: string;
  readonly node: Raw;
  /** What the node lies in: the workflow, or the definition of a subgraph. */
  readonly graph: Raw;
  /** The definition that it stands for, if it is a subgraph node. */
  readonly inside: Raw | undefined;
  /** The subgraph node around it. */
  readonly host: Place | undefined;
}

/** An input of a subgraph and a widget that it leads to. */
export interface Feed {
  readonly slot: number;
  readonly nodeId: string;
  readonly widget: string;
}

/** What links inside a subgraph name for its inputs. */
const SUBGRAPH_INPUTS = '-10';
/** Those of the server. */
const MAX_DEPTH = 64;
const MAX_PLACES = 100_000;

export function placesIn(workflow: Raw): Place[] {
  const definitions = collectDefinitions(workflow);
  const places: Place[] = [];
  const open = (graph: Raw, host: Place | undefined, around: readonly Raw[]): void => {
    for (const node of listOf(graph['nodes']).filter(isObject)) {
      const inside = definitions.get(String(node['type']));
      const id = host ? `${host.id}:${String(node['id'])}` : String(node['id']);
      const place = { id, node, graph, inside, host };
      places.push(place);
      if (places.length > MAX_PLACES) throw new WorkflowInputError('The workflow has too many nodes.');
      // One that contains itself is refused by the server.
      if (inside && around.length < MAX_DEPTH && !around.includes(inside))
        open(inside, place, [...around, inside]);
    }
  };
  open(workflow, undefined, []);
  return places;
}

/** They lie beside each other, or inside the definition that uses them. */
function collectDefinitions(workflow: Raw): ReadonlyMap<string, Raw> {
  const found = new Map<string, Raw>();
  const waiting = [workflow];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { definitions } = next;
    for (const definition of isObject(definitions) ? listOf(definitions['subgraphs']).filter(isObject) : []) {
      const id = String(definition['id']);
      if (!found.has(id)) found.set(id, definition);
      waiting.push(definition);
    }
  }
  return found;
}

/** Where the value of an input comes from: the input of the subgraph around it, by its name, or a node. */
export function sourceOf(
  { node, graph }: Place,
  input: string,
): { input: string } | { node: string } | undefined {
  const link = listOf(node['inputs'])
    .filter(isObject)
    .find((one) => widgetOf(one) === input || one['name'] === input)?.['link'];
  if (link === undefined || link === null) return undefined;
  const found = linksOf(graph).find(({ id }) => id === idOf(link));
  if (!found) return undefined;
  if (found.from !== SUBGRAPH_INPUTS) return { node: found.from };
  return { input: inputNames(graph)[found.slot] ?? '' };
}

export function feedsOf(definition: Raw): Feed[] {
  const links = new Map(linksOf(definition).map((link) => [link.id, link]));
  return listOf(definition['nodes'])
    .filter(isObject)
    .flatMap((node) =>
      listOf(node['inputs'])
        .filter(isObject)
        .flatMap((input) => {
          const link = links.get(String(input['link']));
          const widget = widgetOf(input);
          return widget !== undefined && link?.from === SUBGRAPH_INPUTS
            ? [{ slot: link.slot, nodeId: String(node['id']), widget }]
            : [];
        }),
    );
}

export function inputNames(definition: Raw): string[] {
  return listOf(definition['inputs']).map((input) => (isObject(input) ? String(input['name']) : ''));
}

/** `[id, from, slot, …]`, or an object. */
function linksOf(graph: Raw): { readonly id: string; readonly from: string; readonly slot: number }[] {
  return listOf(graph['links']).map((link) => {
    const [id, from, slot] = Array.isArray(link)
      ? (link as unknown[])
      : isObject(link)
        ? [link['id'], link['origin_id'], link['origin_slot']]
        : [];
    return { id: idOf(id), from: idOf(from), slot: Number(slot) };
  });
}

function widgetOf({ widget }: Raw): string | undefined {
  return isObject(widget) && typeof widget['name'] === 'string' ? widget['name'] : undefined;
}

function idOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : '';
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
