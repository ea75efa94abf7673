import type { NodeCatalogue } from '@atelier/engine/editor-format';

import { isObject, type Json, listOf, objectsIn, textOf } from './json.ts';
import { editorWidgets, type Widget } from './widgets.ts';

type Definitions = ReadonlyMap<string, Json>;

interface Parts {
  readonly definitions: Definitions;
  readonly catalogue: NodeCatalogue;
}

/** The node id that links inside a subgraph use for its inputs. */
const INPUTS = -10;
const CONTROLS = new Set<unknown>(['fixed', 'increment', 'decrement', 'randomize', 'increment-wrap']);
const MAX_DEPTH = 16;

/** The subgraphs that a workflow defines, by id. They are siblings, or nested inside the one that uses them. */
export function definitionsOf(json: Json): Definitions {
  const found = new Map<string, Json>();
  const waiting = [json];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { definitions } = next;
    for (const one of objectsIn(isObject(definitions) ? definitions['subgraphs'] : [])) {
      const id = textOf(one['id']);
      if (id === undefined || found.has(id)) continue;
      found.set(id, one);
      waiting.push(one);
    }
  }
  return found;
}

/** Where a subgraph node keeps the value of one of its widgets. */
type Place =
  | { readonly in: 'list'; readonly index: number }
  | { readonly in: 'names'; readonly name: string };

interface Promoted extends Widget {
  readonly place: Place;
}

/** Promoted widgets: widgets of inner nodes that a subgraph node shows as its own. */
export function promotedWidgets(host: Json, definition: Json, parts: Parts): readonly Promoted[] {
  return promoted(host, definition, parts, 0);
}

/** The same node with another value for one of them. */
export function withPromoted(host: Json, place: Place, value: unknown): Json {
  if (place.in === 'names') {
    const values = isObject(host['widgets_values']) ? host['widgets_values'] : {};
    return { ...host, widgets_values: { ...values, [place.name]: value } };
  }
  const list = [...listOf(host['widgets_values'])];
  while (list.length <= place.index) list.push(null);
  list[place.index] = value;
  return { ...host, widgets_values: list };
}

function promoted(host: Json, definition: Json, parts: Parts, depth: number): readonly Promoted[] {
  if (depth > MAX_DEPTH) return [];
  const properties = isObject(host['properties']) ? host['properties'] : {};
  const proxies = listOf(properties['proxyWidgets']).filter(Array.isArray) as unknown[][];
  const linked = new Set(
    objectsIn(host['inputs'])
      .filter(({ link }) => link !== null && link !== undefined)
      .map(({ name }) => name),
  );
  const inputs = inputsOf(definition);
  const make = (name: string, label: string | undefined, found: Widget | undefined, place: Place) => {
    if (!found) return [];
    const saved = savedAt(host, place);
    return [
      {
        ...found,
        name,
        label: label ?? found.label,
        value: saved ?? found.value,
        isLinked: linked.has(name),
        place,
      },
    ];
  };
  const values = host['widgets_values'];
  if (proxies.length > 0 && !isObject(values)) {
    const seen = new Set<string>();
    return proxies.flatMap(([id, given, source], index) => {
      const widget = String(given);
      const own = inputs.find(({ name }) => name === widget);
      const found =
        String(id) === '-1'
          ? own && widgetBehind(definition, own.slot, parts, depth)
          : innerWidget(definition, [String(id), textOf(source)], widget, parts, depth);
      const name = seen.has(widget) ? `${String(id)}:${widget}` : widget;
      seen.add(widget);
      return make(name, String(id) === '-1' ? own?.label : undefined, found, { in: 'list', index });
    });
  }
  let at = 0;
  return inputs.flatMap(({ name, label, slot }) => {
    const found = widgetBehind(definition, slot, parts, depth);
    if (!found) return [];
    if (isObject(values)) return make(name, label, found, { in: 'names', name });
    const index = at++;
    if (CONTROLS.has(listOf(values)[at])) at++;
    return make(name, label, found, { in: 'list', index });
  });
}

function inputsOf(definition: Json) {
  return objectsIn(definition['inputs']).map((input, slot) => ({
    name: textOf(input['name']) ?? '',
    label: textOf(input['label']) ?? textOf(input['localized_name']),
    slot,
  }));
}

/** Null if the editor wrote the value to the inner node instead. */
function savedAt(host: Json, place: Place): unknown {
  const values = host['widgets_values'];
  if (place.in === 'names') return isObject(values) ? (values[place.name] ?? undefined) : undefined;
  return listOf(values)[place.index] ?? undefined;
}

/** The first widget that an input of the subgraph is linked to. */
function widgetBehind(definition: Json, slot: number, parts: Parts, depth: number): Widget | undefined {
  const links = new Set(
    listOf(definition['links']).flatMap((link) => {
      const [id, from, fromSlot] = Array.isArray(link)
        ? (link as unknown[])
        : isObject(link)
          ? [link['id'], link['origin_id'], link['origin_slot']]
          : [];
      return Number(from) === INPUTS && fromSlot === slot ? [id] : [];
    }),
  );
  for (const node of objectsIn(definition['nodes'])) {
    const input = objectsIn(node['inputs']).find(
      ({ link, widget }) => links.has(link) && isObject(widget) && link !== null,
    );
    const name = input && isObject(input['widget']) ? textOf(input['widget']['name']) : undefined;
    if (name !== undefined) return widgetOf(node, name, parts, depth);
  }
  return undefined;
}

function innerWidget(
  definition: Json,
  [id, source]: readonly [string, string | undefined],
  widget: string,
  parts: Parts,
  depth: number,
): Widget | undefined {
  const [first = '', ...rest] = id.split(':');
  const node = objectsIn(definition['nodes']).find((each) => String(each['id']) === first);
  if (!node) return undefined;
  const inside = parts.definitions.get(String(node['type']));
  const further = rest.length > 0 ? rest.join(':') : source;
  if (inside && further !== undefined && depth < MAX_DEPTH) {
    return innerWidget(inside, [further, undefined], widget, parts, depth + 1);
  }
  return widgetOf(node, widget, parts, depth);
}

function widgetOf(node: Json, name: string, parts: Parts, depth: number): Widget | undefined {
  const inside = parts.definitions.get(String(node['type']));
  const widgets = inside
    ? promoted(node, inside, parts, depth + 1)
    : editorWidgets(node, parts.catalogue.get(String(node['type'])));
  return widgets.find((widget) => widget.name === name);
}
