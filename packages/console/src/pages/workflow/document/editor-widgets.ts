import {
  type Companion,
  companionsOf,
  defaultOf,
  hasUpload,
  hasWidget,
  type Input,
  isDisplay,
  isUpload,
  type NodeDescription,
} from '@atelier/engine/editor-format';

import { isObject, type Json, objectsIn } from './json.ts';

/** A value of a node, as stored in the editor file. */
export interface SavedWidget {
  readonly name: string;
  readonly input: Input;
  readonly value: unknown;
  /** The values of the editor's own widgets after it, such as a seed control. */
  readonly companions: readonly unknown[];
  /** The editor only shows it; it has no value. */
  readonly isShownOnly: boolean;
}

/** The widgets of a node, in the order in which the editor saves them. */
export function savedWidgets(node: Json, type: NodeDescription): readonly SavedWidget[] {
  const named = namedValues(node);
  if (!named) return inOrder(node, type).widgets;
  return readType(node, type, { next: (name) => named[name], companions: () => [] }, false);
}

/** The same node with another value. */
export function withWidget(
  node: Json,
  type: NodeDescription,
  { name, value }: { readonly name: string; readonly value: unknown },
): Json {
  const named = namedValues(node);
  if (named) return withNamed(node, { ...named, [name]: value });
  const { widgets, rest, isForced } = inOrder(node, type);
  const known = new Map(widgets.map((widget) => [widget.name, widget]));
  // A choice may add its own inputs, so the whole list is rewritten.
  const written = readType(
    node,
    type,
    {
      next: (each) => (each === name ? value : known.get(each)?.value),
      companions: (each) => known.get(each)?.companions ?? [],
    },
    isForced,
  );
  return {
    ...node,
    widgets_values: [...written.flatMap((widget) => [widget.value, ...widget.companions]), ...rest],
  };
}

const CONTROLS = ['fixed', 'increment', 'decrement', 'randomize', 'increment-wrap'] as const;
/** What happens to a seed after each run. */
export type SeedControl = (typeof CONTROLS)[number];

export function controlWord(saved: unknown): SeedControl | undefined {
  return CONTROLS.find((control) => control === saved);
}

export function controlOf({ companions: [first] }: SavedWidget): SeedControl | undefined {
  return controlWord(first);
}

/** The same node with another seed control. */
export function withControl(
  node: Json,
  type: NodeDescription,
  { name, control }: { readonly name: string; readonly control: SeedControl },
): Json {
  const { widgets, rest } = inOrder(node, type);
  const written = widgets.flatMap((widget) => {
    const isMeant = widget.name === name && controlOf(widget) !== undefined;
    return [widget.value, ...(isMeant ? [control, ...widget.companions.slice(1)] : widget.companions)];
  });
  return { ...node, widgets_values: [...written, ...rest] };
}

function withNamed(node: Json, values: Json): Json {
  const list = node['widgets_values'];
  return {
    ...node,
    widgets_values: Array.isArray(list) ? Object.values(values) : values,
    ...(isObject(node['widgets_values_named']) && { widgets_values_named: values }),
  };
}

/** Values by name, if the file has them. The list takes precedence, because the editor reads it back. */
function namedValues(node: Json): Json | undefined {
  const { widgets_values: values, widgets_values_named: names } = node;
  if (isObject(values)) return values;
  if (!isObject(names)) return undefined;
  if (!Array.isArray(values)) return names;
  const keys = Object.keys(names);
  const isSure = keys.length === values.length && !keys.some((key) => /^\d+$/.test(key));
  return isSure ? Object.fromEntries(keys.map((key, index) => [key, values[index] as unknown])) : undefined;
}

interface Reader {
  /** `undefined` if nothing is saved. */
  next(name: string): unknown;
  companions(name: string, expected: readonly Companion[]): readonly unknown[];
}

function inOrder(node: Json, type: NodeDescription) {
  const read = readList(node, type, false);
  if (read.rest.length === 0 || !Object.values(type.inputs).some(isForcedInput)) return read;
  // Editors before 1.16 also created a widget for every input that must be linked.
  const old = readList(node, type, true);
  return old.rest.length === 0 ? old : read;
}

function readList(node: Json, type: NodeDescription, isForced: boolean) {
  const list: readonly unknown[] = Array.isArray(node['widgets_values']) ? node['widgets_values'] : [];
  let at = 0;
  const widgets = readType(
    node,
    type,
    {
      next: () => list[at++],
      companions(_, expected) {
        const found: unknown[] = [];
        for (const isCompanion of expected) {
          if (at >= list.length || !isCompanion(list[at])) break;
          found.push(list[at++]);
        }
        return found;
      },
    },
    isForced,
  );
  return { widgets, rest: list.slice(at), isForced };
}

/** Required inputs come first, as in `object_info`. */
function readType(node: Json, type: NodeDescription, reader: Reader, isForced: boolean): SavedWidget[] {
  const widgets: SavedWidget[] = [];
  const entries = Object.entries(type.inputs);
  const lastUpload = entries.findLast(([, input]) => !input.optional && hasWidget(input))?.[0];
  const hasButton = entries.some(([, input]) => !input.optional && hasUpload(input));

  function readAll(inputs: readonly (readonly [string, Input])[], prefix: string): void {
    for (const isOptional of [false, true]) {
      for (const [name, input] of inputs)
        if (input.optional === isOptional) readInput(prefix + name, input, prefix === '' ? name : '');
    }
  }

  function readInput(name: string, input: Input, ownName: string): void {
    if (input.kind === 'autogrow') {
      for (const item of grownItems(name, input, node)) readInput(`${name}.${item}`, input.item, '');
      return;
    }
    if (!hasWidget(input) || (isForcedInput(input) && !isForced)) return;
    const value = reader.next(name) ?? defaultOf(input);
    // The editor puts the upload button after the required inputs.
    const button = hasButton && ownName === lastUpload ? [isUpload] : [];
    const companions = reader.companions(name, [...companionsOf(name, input), ...button]);
    const isShownOnly = isForcedInput(input) || isDisplay(input) || input.options.hidden === true;
    widgets.push({ name, input, value, companions, isShownOnly });
    if (input.kind !== 'dynamicCombo' || typeof value !== 'string') return;
    readAll(Object.entries(input.choices[value] ?? {}), `${name}.`);
  }

  readAll(entries, '');
  return widgets;
}

/** The widgets that the file has an input for; a new node has one more than it needs. */
function grownItems(
  name: string,
  { item, names, min }: Extract<Input, { readonly kind: 'autogrow' }>,
  node: Json,
): readonly string[] {
  if (!hasWidget(item)) return [];
  const inputs = objectsIn(node['inputs']);
  const known = names.filter((each) =>
    inputs.some((input) => input['name'] === `${name}.${each}` && isObject(input['widget'])),
  );
  return known.length > 0 ? known : names.slice(0, min + 1);
}

function isForcedInput(input: Input): boolean {
  return input.options.forceInput === true;
}
