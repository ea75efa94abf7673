import type { Input, Inputs } from './inputs.ts';
import type { NodeDescription } from './node-description.ts';

/** An input under the name that graphs use: inputs of inputs are dotted, `resize_type.width`. */
export interface FlatInput {
  readonly name: string;
  readonly input: Input;
  readonly optional: boolean;
}

type Given = Readonly<Record<string, unknown>>;

/** The inputs a node has, given what the graph says of those that bring further ones. */
export function flatInputs(type: NodeDescription, given: Given): readonly FlatInput[] {
  return flatten(type.inputs, '', false, given);
}

const fixed = new WeakMap<NodeDescription, ReadonlyMap<string, FlatInput> | 'open'>();

/** The inputs of a type that has the same ones whatever is given, by name; `undefined` for one that has not. */
export function fixedInputs(type: NodeDescription): ReadonlyMap<string, FlatInput> | undefined {
  let known = fixed.get(type);
  if (known === undefined) {
    const isOpen = Object.values(type.inputs).some(
      ({ kind }) => kind === 'autogrow' || kind === 'dynamicCombo',
    );
    known = isOpen ? 'open' : new Map(flatInputs(type, {}).map((one) => [one.name, one]));
    fixed.set(type, known);
  }
  return known === 'open' ? undefined : known;
}

function flatten(inputs: Inputs, prefix: string, allOptional: boolean, given: Given): FlatInput[] {
  return Object.entries(inputs).flatMap(([key, input]) => {
    const name = prefix + key;
    const optional = allOptional || input.optional;
    if (input.kind === 'autogrow') {
      return input.names.flatMap((item, index) => {
        const itemOptional = optional || index >= input.min || input.item.optional;
        const itemName = `${name}.${item}`;
        return !itemOptional || Object.hasOwn(given, itemName)
          ? [{ name: itemName, input: input.item, optional: itemOptional }]
          : [];
      });
    }
    const own = { name, input, optional };
    if (input.kind !== 'dynamicCombo') return [own];
    const choice = ownValue(given, name);
    const further = typeof choice === 'string' ? ownValue(input.choices, choice) : undefined;
    return [own, ...(further ? flatten(further, `${name}.`, optional, given) : [])];
  });
}

/** Turns dotted names back into the shape the node declared. */
export function nestInputs(type: NodeDescription, flat: Given): Record<string, unknown> {
  const extra = Object.entries(flat).filter(
    ([name]) => !name.includes('.') && !Object.hasOwn(type.inputs, name),
  );
  return { ...nest(type.inputs, '', flat), ...Object.fromEntries(extra) };
}

function nest(inputs: Inputs, prefix: string, flat: Given): Record<string, unknown> {
  const nested = new Map<string, unknown>();
  for (const [key, input] of Object.entries(inputs)) {
    const name = prefix + key;
    if (input.kind === 'autogrow') nested.set(key, nestItems(input, `${name}.`, flat));
    else if (input.kind === 'dynamicCombo') nested.set(key, nestChoice(input.choices, name, flat));
    else if (Object.hasOwn(flat, name)) nested.set(key, asDeclared(input, flat[name]));
  }
  return Object.fromEntries(nested);
}

function nestItems(
  { names, item: input }: Extract<Input, { readonly kind: 'autogrow' }>,
  prefix: string,
  flat: Given,
): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((item) => Object.hasOwn(flat, prefix + item))
      .map((item) => [item, asDeclared(input, flat[prefix + item])]),
  );
}

/** A number, or a list of them, is a bigint or a number as the input was declared, whatever it was before. JSON writes 1e17 as an integer. */
function asDeclared(input: Input, value: unknown): unknown {
  if ((input.kind !== 'int' && input.kind !== 'float') || input.options.rawLink) return value;
  if (Array.isArray(value)) return value.map((item) => asDeclared(input, item));
  const isBig = input.kind === 'int' && input.big;
  if (typeof value === 'bigint') return isBig ? value : Number(value);
  return isBig && Number.isInteger(value) ? BigInt(Number(value)) : value;
}

function nestChoice(choices: Readonly<Record<string, Inputs>>, name: string, flat: Given): unknown {
  const choice = ownValue(flat, name);
  if (typeof choice !== 'string') return undefined;
  return { choice, ...nest(ownValue(choices, choice) ?? {}, `${name}.`, flat) };
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
