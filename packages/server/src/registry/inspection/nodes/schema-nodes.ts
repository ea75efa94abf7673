import type { InnerNode } from '../inspection.ts';
import { madeBy } from '../interpreter/attributes.ts';
import { memberOf } from '../interpreter/class-members.ts';
import type { Interpreter } from '../interpreter/machine.ts';
import {
  type ClassValue,
  type Dict,
  type Foreign,
  type Given,
  isKind,
  lastName,
  UNKNOWN,
  type Value,
} from '../interpreter/values.ts';
import { OPTION_NAMES, schemaType } from './schema-types.ts';
import { inputsToJson, toJson } from './to-json.ts';

type Arguments = readonly Given[];

/** What a class's `define_schema` gives to `Schema(...)`. */
export function findSchema(it: Interpreter, owner: ClassValue): Arguments | undefined {
  const define = memberOf(it, owner, 'define_schema');
  if (!isKind(define, 'function')) return undefined;
  const isBound = define.binding !== 'static' && define.parameters.length > 0;
  const schema = it.callFunction(isBound ? { ...define, self: owner } : define, []);
  return madeBy(schema, 'Schema') ? schema.args : undefined;
}

/** A node of the schema style; without a name when the schema does not spell it out. */
export function readSchema(it: Interpreter, args: Arguments): Partial<InnerNode> {
  const valueOf = (name: string, position = -1) => argumentOf(args, name, position) ?? UNKNOWN;
  const outputs = readOutputs(valueOf('outputs', 4));
  const inputs = readInputs(it, valueOf('inputs', 3), argumentOf(args, 'hidden', 5));
  const inputJson = inputs && inputsToJson(inputs);
  return {
    ...textField('comfy_node_name', valueOf('node_id', 0)),
    ...textField('category', valueOf('category', 2)),
    ...textField('description', valueOf('description')),
    ...(valueOf('is_deprecated') === true ? { deprecated: true } : {}),
    ...(valueOf('is_experimental') === true ? { experimental: true } : {}),
    ...(inputJson === undefined ? {} : { input_types: inputJson }),
    ...jsonField(
      it,
      'return_types',
      outputs?.map(({ type }) => type),
    ),
    ...jsonField(
      it,
      'return_names',
      outputs?.map(({ name }) => name),
    ),
    ...(outputs ? { output_is_list: outputs.map(({ isList }) => isList) } : {}),
  };
}

/** All inputs or nothing: an input that cannot be read would be missing from the list. */
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
    if (!isKind(name, 'foreign') || !/(?:^|\.)Hidden\.\w+$/.test(name.path)) return undefined;
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
  if (!madeBy(item, 'Input')) return undefined;
  const { args } = item;
  const of = ownerOf(item);
  // A type that takes another input's place carries its name there.
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

function inputType(item: Foreign): Value {
  const of = ownerOf(item);
  if (!of) return UNKNOWN;
  if (lastName(of) !== 'MultiType') return typeOf(of);
  const args = item.args ?? [];
  const first = args[0]?.value;
  const own = madeBy(first ?? UNKNOWN, 'Input') && isKind(first, 'foreign') ? [inputType(first)] : [];
  const types = (itemsOf(argumentOf(args, 'types', 1) ?? UNKNOWN) ?? []).map((type) => typeOf(type));
  const all = [...new Set([...own, ...types])];
  return all.every((one) => typeof one === 'string') ? all.join(',') : UNKNOWN;
}

interface Output {
  readonly type: Value;
  readonly name: Value;
  readonly isList: boolean;
}

function readOutputs(outputs: Value): readonly Output[] | undefined {
  return itemsOf(outputs)?.map(readOutput);
}

function readOutput(output: Value): Output {
  const of = isKind(output, 'foreign') ? ownerOf(output) : undefined;
  if (!of || !isKind(output, 'foreign')) return { type: UNKNOWN, name: UNKNOWN, isList: false };
  const args = output.args ?? [];
  const type = typeOf(of);
  const isMatch = lastName(of) === 'MatchType';
  const name = argumentOf(args, 'display_name', isMatch ? 2 : 1) ?? type;
  const isList = argumentOf(args, 'is_output_list', isMatch ? 4 : 3) === true;
  return { type, name, isList };
}

/** `io.Image` of `io.Image.Input(...)` */
function ownerOf({ of }: Foreign): Foreign | undefined {
  return of?.of;
}

/** `io.Image`, `Image`, `io.Custom("NAME")` */
function typeOf(type: Value): Value {
  if (isKind(type, 'class')) return schemaType(type.definition.name);
  if (!isKind(type, 'foreign')) return UNKNOWN;
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
  return isKind(value, 'list') && value.doubts === 0 ? value.items : undefined;
}

function textField<Key extends string>(key: Key, value: Value): { [name in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [name in Key]: string }) : {};
}

function jsonField<Key extends string>(
  { machine }: Interpreter,
  key: Key,
  values: readonly Value[] | undefined,
): { [name in Key]?: string } {
  const json = values && toJson(machine.list(values));
  return json === undefined ? {} : ({ [key]: json } as { [name in Key]: string });
}
