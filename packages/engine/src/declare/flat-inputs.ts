import type { Input, Inputs } from './inputs.ts';
import type { NodeType } from './node-type.ts';

/** An input under the name that graphs use: inputs of inputs are dotted, `resize_type.width`. */
export interface FlatInput {
  readonly name: string;
  readonly input: Input;
  readonly optional: boolean;
}

type Given = Readonly<Record<string, unknown>>;

/** The inputs a node has, given what the graph says of those that bring further ones. */
export function flatInputs(type: NodeType, given: Given): readonly FlatInput[] {
  return flatten(type.inputs, '', false, given);
}

function flatten(inputs: Inputs, prefix: string, allOptional: boolean, given: Given): FlatInput[] {
  return Object.entries(inputs).flatMap(([key, input]) => {
    const name = prefix + key;
    const optional = allOptional || input.optional;
    if (input.kind === 'autogrow') {
      return input.names.flatMap((item, index) => {
        const itemOptional = optional || index >= input.min || input.item.optional;
        const itemName = `${name}.${item}`;
        return !itemOptional || itemName in given
          ? [{ name: itemName, input: input.item, optional: itemOptional }]
          : [];
      });
    }
    const own = { name, input, optional };
    if (input.kind !== 'dynamicCombo') return [own];
    const choice = given[name];
    const further = typeof choice === 'string' ? ownValue(input.choices, choice) : undefined;
    return [own, ...(further ? flatten(further, `${name}.`, optional, given) : [])];
  });
}

/** Turns dotted names back into the shape the node declared. */
export function nestInputs(type: NodeType, flat: Given): Record<string, unknown> {
  const extra = Object.entries(flat).filter(
    ([name]) => !name.includes('.') && !Object.hasOwn(type.inputs, name),
  );
  return { ...nest(type.inputs, '', flat), ...Object.fromEntries(extra) };
}

function nest(inputs: Inputs, prefix: string, flat: Given): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [key, input] of Object.entries(inputs)) {
    const name = prefix + key;
    if (input.kind === 'autogrow') nested[key] = nestItems(input.names, `${name}.`, flat);
    else if (input.kind === 'dynamicCombo') nested[key] = nestChoice(input.choices, name, flat);
    else if (Object.hasOwn(flat, name)) nested[key] = flat[name];
  }
  return nested;
}

function nestItems(names: readonly string[], prefix: string, flat: Given): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((item) => Object.hasOwn(flat, prefix + item)).map((item) => [item, flat[prefix + item]]),
  );
}

function nestChoice(choices: Readonly<Record<string, Inputs>>, name: string, flat: Given): unknown {
  const choice = flat[name];
  if (typeof choice !== 'string') return undefined;
  return { choice, ...nest(ownValue(choices, choice) ?? {}, `${name}.`, flat) };
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
