import { WorkflowInputError } from '../errors.ts';
import { isObject } from '../is-object.ts';

export type Raw = Record<string, unknown>;

/** A node of an editor file at the place where it runs: a node inside a subgraph has one for each use of the subgraph. */
export interface Place {
  /** The id on the server: the ids of the path to it, joined by colons. */
  readonly id: string;
  readonly node: Raw;
  /** The graph that contains the node: the workflow, or the definition of a subgraph. */
  readonly graph: Raw;
  /** Its definition, if it is a subgraph node. */
  readonly inside: Raw | undefined;
  /** The subgraph node around it. */
  readonly host: Place | undefined;
}

/** An input of a subgraph and a widget that it is linked to. */
export interface WidgetLink {
  readonly slot: number;
  readonly nodeId: string;
  readonly widget: string;
}

/** The node id that links inside a subgraph use for its inputs. */
const SUBGRAPH_INPUTS = '-10';
/** The same limits as on the server. */
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
      // The server rejects a subgraph that contains itself.
      if (inside && around.length < MAX_DEPTH && !around.includes(inside))
        open(inside, place, [...around, inside]);
    }
  };
  open(workflow, undefined, []);
  return places;
}

/** They are siblings, or nested inside the definition that uses them. */
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

/** Where the value of an input comes from: a named input of the enclosing subgraph, or a node. */
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

export function widgetLinksOf(definition: Raw): WidgetLink[] {
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
