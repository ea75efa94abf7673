import { present } from '@atelier/contracts/present';

import type { InnerNode } from '../inspection.ts';
import { isCallOf } from '../interpreter/attributes.ts';
import { memberOf } from '../interpreter/class-members.ts';
import type { Interpreter } from '../interpreter/machine.ts';
import {
  type ArgumentValue,
  type ClassValue,
  type Dict,
  type External,
  type FunctionValue,
  isKind,
  lastName,
  textOf,
  UNKNOWN,
  type Value,
} from '../interpreter/values.ts';
import { OPTION_NAMES, schemaType } from './schema-types.ts';
import { inputsToJson, toJson } from './to-json.ts';

type Arguments = readonly ArgumentValue[];

/** The arguments of `Schema(...)` in the `define_schema` of a class. */
export function findSchema(it: Interpreter, owner: ClassValue): Arguments | undefined {
  const define = memberOf(it, owner, 'define_schema');
  if (!isKind(define, 'function')) return undefined;
  const schema = callOnClass(it, owner, define);
  return isCallOf(schema, 'Schema') ? schema.args : undefined;
}

export function callOnClass(it: Interpreter, owner: ClassValue, method: FunctionValue): Value {
  const isBound = method.binding !== 'static' && method.parameters.length > 0;
  return it.callFunction(isBound ? { ...method, self: owner } : method, []);
}

/** A node described by a schema. It has no name if the schema does not spell it out. */
export function readSchema(it: Interpreter, args: Arguments): Partial<InnerNode> {
  const valueOf = (name: string, position = -1) => argumentOf(args, name, position) ?? UNKNOWN;
  const outputs = itemsOf(valueOf('outputs', 4))?.map(readOutput);
  const inputs = readInputs(it, valueOf('inputs', 3), argumentOf(args, 'hidden', 5));
  const json = (values: readonly Value[] | undefined) => values && toJson(it.machine.list(values));
  return present({
    comfy_node_name: textOf(valueOf('node_id', 0)),
    category: textOf(valueOf('category', 2)),
    description: textOf(valueOf('description')),
    deprecated: valueOf('is_deprecated') === true || undefined,
    experimental: valueOf('is_experimental') === true || undefined,
    input_types: inputs && inputsToJson(inputs),
    return_types: json(outputs?.map(({ type }) => type)),
    return_names: json(outputs?.map(({ name }) => name)),
    output_is_list: outputs?.map(({ isList }) => isList),
  });
}

/** All inputs or nothing, because a list must not be incomplete. */
function readInputs(it: Interpreter, inputs: Value, hidden: Value | undefined): Dict | undefined {
  const items = itemsOf(inputs);
  if (!items) return undefined;
  const { machine } = it;
  const groups = machine.dict([['required', machine.dict()]]);
  const add = (group: string, name: string, value: Value) => {
    const known = groups.entries.get(group);
    const inside = isKind(known, 'dict') ? known : machine.dict();
    inside.entries.set(name, value);
    groups.entries.set(group, inside);
  };
  for (const item of items) {
    const input = readInput(it, item);
    if (!input) return undefined;
    add(input.isOptional ? 'optional' : 'required', input.id, machine.list([input.type, input.options]));
  }
  if (hidden === undefined || hidden === null) return groups;
  const names = itemsOf(hidden);
  if (!names) return undefined;
  for (const name of names) {
    // `io.Hidden.unique_id` stands for `UNIQUE_ID`.
    if (!isKind(name, 'external') || !/(?:^|\.)Hidden\.\w+$/.test(name.path)) return undefined;
    add('hidden', lastName(name), machine.list([lastName(name).toUpperCase()]));
  }
  return groups;
}

interface Input {
  readonly id: string;
  readonly isOptional: boolean;
  readonly type: Value;
  readonly options: Value;
}

/** `io.Int.Input("n", default=1)` */
function readInput(it: Interpreter, item: Value): Input | undefined {
  if (!isCallOf(item, 'Input')) return undefined;
  const { args } = item;
  const of = ownerOf(item);
  // A type that replaces the type of another input has its name there.
  const inner = of && lastName(of) === 'MultiType' ? readInput(it, args[0]?.value ?? UNKNOWN) : undefined;
  const id = inner?.id ?? argumentOf(args, 'id', 0);
  if (typeof id !== 'string') return undefined;
  const options = it.machine.dict();
  let isOptional = false;
  for (const { name, stars, value } of args) {
    if (stars > 0) return undefined;
    if (name === undefined || name === 'id' || name === 'types') continue;
    if (name === 'optional') {
      if (typeof value !== 'boolean') return undefined;
      isOptional = value;
    } else if (value !== null) options.entries.set(OPTION_NAMES[name] ?? name, value);
  }
  const choices = of && lastName(of).endsWith('Combo') ? argumentOf(args, 'options', 1) : undefined;
  if (choices !== undefined && !options.entries.has('options')) options.entries.set('options', choices);
  return { id, isOptional, options, type: inputType(item) };
}

function inputType(item: External): Value {
  const of = ownerOf(item);
  if (!of) return UNKNOWN;
  if (lastName(of) !== 'MultiType') return typeOf(of);
  const args = item.args ?? [];
  const first = args[0]?.value;
  const own = isCallOf(first ?? UNKNOWN, 'Input') && isKind(first, 'external') ? [inputType(first)] : [];
  const types = (itemsOf(argumentOf(args, 'types', 1) ?? UNKNOWN) ?? []).map((type) => typeOf(type));
  const all = [...new Set([...own, ...types])];
  return all.every((one) => typeof one === 'string') ? all.join(',') : UNKNOWN;
}

function readOutput(output: Value): { type: Value; name: Value; isList: boolean } {
  const of = isKind(output, 'external') ? ownerOf(output) : undefined;
  if (!of || !isKind(output, 'external')) return { type: UNKNOWN, name: UNKNOWN, isList: false };
  const args = output.args ?? [];
  const type = typeOf(of);
  const isMatch = lastName(of) === 'MatchType';
  const name = argumentOf(args, 'display_name', isMatch ? 2 : 1) ?? type;
  const isList = argumentOf(args, 'is_output_list', isMatch ? 4 : 3) === true;
  return { type, name, isList };
}

/** `io.Image` of `io.Image.Input(...)` */
function ownerOf({ of }: External): External | undefined {
  return of?.of;
}

/** `io.Image`, `Image`, `io.Custom("NAME")` */
function typeOf(type: Value): Value {
  if (isKind(type, 'class')) return schemaType(type.definition.name);
  if (!isKind(type, 'external')) return UNKNOWN;
  if (!type.args) return schemaType(lastName(type));
  return lastName(type) === 'Custom' ? (type.args[0]?.value ?? UNKNOWN) : UNKNOWN;
}

function argumentOf(args: Arguments, name: string, position: number): Value | undefined {
  const named = args.find((argument) => argument.name === name);
  if (named) return named.value;
  const argument = args[position];
  return argument?.name === undefined && argument?.stars === 0 ? argument.value : undefined;
}

function itemsOf(value: Value): readonly Value[] | undefined {
  return isKind(value, 'list') && value.gaps === 0 ? value.items : undefined;
}
