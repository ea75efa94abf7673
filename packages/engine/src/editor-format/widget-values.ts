import type { Input, Inputs } from '../declare/inputs.ts';
import type { NodeDescription } from '../declare/node-description.ts';
import type { EditorNode } from './editor-graph.ts';
import {
  type Companion,
  companionsOf,
  defaultOf,
  hasUpload,
  hasWidget,
  isDisplay,
  isUpload,
} from './widgets.ts';

export type WidgetValues = ReadonlyMap<string, unknown>;

/** The values of a node's widgets by the names of its inputs; those that are not saved have their defaults. */
export function widgetValues(type: NodeDescription | undefined, node: EditorNode): WidgetValues {
  const { list, named } = node.values;
  if (named) return byName(type, node, named);
  if (!type) return new Map();
  const saved = list ?? [];
  const read = inOrder(type, node, saved, { forced: false });
  if (read.rest.length === 0 || !Object.values(type.inputs).some(isForced)) return read.values;
  // Editors before 1.16 made a widget of every input that must be linked, too.
  const old = inOrder(type, node, saved, { forced: true });
  return old.isExact ? old.values : read.values;
}

/** Widgets that the editor adds to a node of its own accord, and sends. */
const ADDED_WIDGETS: Readonly<Record<string, (index: number) => string>> = {
  CustomCombo: (index) => (index === 0 ? 'index' : `option${index}`),
};

interface Reader {
  /** What is saved of the next widget; `undefined` when nothing is. */
  next(name: string): unknown;
  skip(companions: readonly Companion[]): void;
}

interface Reading {
  readonly reader: Reader;
  readonly node: EditorNode;
  readonly values: Map<string, unknown>;
  /** Inputs that must be linked have a widget. */
  readonly forced: boolean;
}

function byName(
  type: NodeDescription | undefined,
  node: EditorNode,
  named: ReadonlyMap<string, unknown>,
): WidgetValues {
  const reader: Reader = { next: (name) => named.get(name), skip() {} };
  const reading = { reader, node, values: new Map<string, unknown>(), forced: false };
  if (type) readAll(Object.entries(type.inputs), '', reading);
  if (type && !type.acceptsAll) return reading.values;
  return new Map([...named, ...reading.values]);
}

function inOrder(
  type: NodeDescription,
  node: EditorNode,
  list: readonly unknown[],
  { forced }: { readonly forced: boolean },
): { readonly values: WidgetValues; readonly rest: readonly unknown[]; readonly isExact: boolean } {
  let at = 0;
  const reader: Reader = {
    next: () => list[at++],
    skip(companions) {
      for (const isCompanion of companions) {
        if (at >= list.length || !isCompanion(list[at])) return;
        at++;
      }
    },
  };
  const reading = { reader, node, values: new Map<string, unknown>(), forced };
  const inputs = Object.entries(type.inputs);
  const required = inputs.filter(([, input]) => !input.optional);
  readAll(required, '', reading);
  // The editor adds the button to the required inputs, as their last.
  if (required.some(([, input]) => hasUpload(input))) reader.skip([isUpload]);
  readAll(
    inputs.filter(([, input]) => input.optional),
    '',
    reading,
  );
  const rest = list.slice(at);
  const nameOf = Object.hasOwn(ADDED_WIDGETS, type.type) ? ADDED_WIDGETS[type.type] : undefined;
  if (nameOf) for (const [index, value] of rest.entries()) reading.values.set(nameOf(index), value);
  return { values: reading.values, rest, isExact: at === list.length };
}

type Entries = readonly (readonly [name: string, Input])[];

/** Required ones come first, as in `object_info`. */
function readAll(inputs: Entries, prefix: string, reading: Reading): void {
  for (const isOptional of [false, true]) {
    for (const [name, input] of inputs) {
      if (input.optional === isOptional) readInput(prefix + name, input, reading);
    }
  }
}

function readInput(name: string, input: Input, reading: Reading): void {
  if (input.kind === 'autogrow') {
    for (const item of grownItems(name, input, reading.node))
      readInput(`${name}.${item}`, input.item, reading);
    return;
  }
  if (!hasWidget(input) || (isForced(input) && !reading.forced)) return;
  const saved = reading.reader.next(name);
  reading.reader.skip(companionsOf(name, input));
  if (isForced(input) || isDisplay(input)) return;
  const value = saved ?? defaultOf(input);
  if (value === undefined) return;
  reading.values.set(name, value);
  if (input.kind !== 'dynamicCombo' || typeof value !== 'string') return;
  const further: Inputs = Object.hasOwn(input.choices, value) ? (input.choices[value] ?? {}) : {};
  readAll(Object.entries(further), `${name}.`, reading);
}

/** Those that the file has an input for; a new node has one more than it needs. */
function grownItems(
  name: string,
  { item, names, min }: Extract<Input, { readonly kind: 'autogrow' }>,
  node: EditorNode,
): readonly string[] {
  if (!hasWidget(item)) return [];
  const known = names.filter((each) => node.inputByName.get(`${name}.${each}`)?.widget !== undefined);
  return known.length > 0 ? known : names.slice(0, min + 1);
}

function isForced(input: Input): boolean {
  return input.options.forceInput === true;
}
