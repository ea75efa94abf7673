import { isObject } from '../is-object.ts';
import { inputNames, listOf, type Place, type Raw, widgetLinksOf } from './editor-places.ts';
import { CONTROLS } from './editor-widgets.ts';

/** A widget inside a subgraph node, by the path of ids to its node; `-1` for an input of the node itself. */
type Promoted = readonly [node: string, widget: string];

/** The names of the inputs that are linked to a widget. */
export function settableInputs(definition: Raw): string[] {
  const slots = new Set(widgetLinksOf(definition).map(({ slot }) => slot));
  return inputNames(definition).filter((_, slot) => slots.has(slot));
}

/** The value that a subgraph node sets for a widget inside it; `undefined` if it does not set one. */
export function readPromoted(place: Place, [id, widget]: Promoted): unknown {
  const { proxies, values } = promotedOf(place);
  const at = proxies.findLastIndex(([itsId, itsWidget]) => itsId === id && itsWidget === widget);
  return at === -1 ? undefined : (values[at] ?? undefined);
}

/** Sets the value in the subgraph node, which overrides the inside and leaves other uses of the subgraph alone. */
export function writePromoted(place: Place, [id, widget]: Promoted, value: unknown): void {
  const { node } = place;
  const { proxies, values } = promotedOf(place);
  const isOther = (_: unknown, at: number): boolean => proxies[at]?.[0] !== id || proxies[at]?.[1] !== widget;
  // Last, because the last one wins if several set the same widget.
  node['widgets_values'] = [...values.filter(isOther), value];
  const properties = isObject(node['properties']) ? node['properties'] : {};
  node['properties'] = { ...properties, proxyWidgets: [...proxies.filter(isOther), [id, widget]] };
  delete node['widgets_values_named'];
}

/** The editor has stored these values in three ways: for a list of widgets, by input name, or in input order. */
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

/** One value for each input linked to a widget; some files also have one for each seed control. */
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
