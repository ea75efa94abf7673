import { isObject } from '../is-object.ts';
import { feedsOf, inputNames, listOf, type Place, type Raw } from './editor-places.ts';
import { CONTROLS } from './editor-widgets.ts';

/** A widget inside a subgraph node, by the ids that lead to its node; `-1` for an input of the node itself. */
type Promoted = readonly [node: string, widget: string];

/** The names of the inputs that lead to a widget. */
export function settableInputs(definition: Raw): string[] {
  const slots = new Set(feedsOf(definition).map(({ slot }) => slot));
  return inputNames(definition).filter((_, slot) => slots.has(slot));
}

/** What a subgraph node says of a widget inside it; `undefined` when it leaves it to the inside. */
export function readPromoted(place: Place, [id, widget]: Promoted): unknown {
  const { proxies, values } = promotedOf(place);
  const at = proxies.findLastIndex(([itsId, itsWidget]) => itsId === id && itsWidget === widget);
  return at === -1 ? undefined : (values[at] ?? undefined);
}

/** Says it in the subgraph node, which goes before the inside and before what other uses of the subgraph have. */
export function writePromoted(place: Place, [id, widget]: Promoted, value: unknown): void {
  const { node } = place;
  const { proxies, values } = promotedOf(place);
  const isOther = (_: unknown, at: number): boolean => proxies[at]?.[0] !== id || proxies[at]?.[1] !== widget;
  // Last, because the last one stands where several lead to the same widget.
  node['widgets_values'] = [...values.filter(isOther), value];
  const properties = isObject(node['properties']) ? node['properties'] : {};
  node['properties'] = { ...properties, proxyWidgets: [...proxies.filter(isOther), [id, widget]] };
  delete node['widgets_values_named'];
}

/** The editor has written these values in three ways: for a list of widgets, by the names of inputs, or in their order. */
function promotedOf({ node, inside = {} }: Place): { proxies: string[][]; values: unknown[] } {
  const { properties, widgets_values: saved, widgets_values_named: named } = node;
  const proxies = listOf(isObject(properties) ? properties['proxyWidgets'] : undefined)
    .filter(Array.isArray)
    .map((proxy: unknown[]) => proxy.map(String));
  if (Array.isArray(saved) && proxies.length > 0) {
    return { proxies, values: proxies.map((_, at) => (saved[at] as unknown) ?? null) };
  }
  const known = isObject(saved) ? saved : isObject(named) && !Array.isArray(saved) ? named : undefined;
  const entries = known ? Object.entries(known) : inOrder(inside, listOf(saved));
  return {
    proxies: [...proxies, ...entries.map(([name]) => ['-1', name])],
    values: [...proxies.map(() => null), ...entries.map(([, value]) => value)],
  };
}

/** One value for each input that leads to a widget; some files have those that say what is done with seeds, too. */
function inOrder(inside: Raw, list: readonly unknown[]): [name: string, value: unknown][] {
  const names = settableInputs(inside);
  const hasControls = list.length > names.length;
  let at = 0;
  return names.slice(0, list.length).map((name) => {
    const value = list[at++];
    if (hasControls && CONTROLS.has(list[at])) at++;
    return [name, value];
  });
}
