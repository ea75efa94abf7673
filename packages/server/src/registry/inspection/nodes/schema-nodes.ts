import type { InnerNode } from '../inspection.ts';
import { lookUp } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import type { Argument, Call, Expression } from '../python/syntax.ts';
import type { Classes } from './classes.ts';
import { type Literals, UNKNOWN, type Value } from './literal-values.ts';
import { OPTION_NAMES, schemaType } from './schema-types.ts';
import { toJson } from './to-json.ts';

interface Schema {
  readonly call: Call;
  readonly scope: Scope;
}

/** The `Schema(...)` that a class's `define_schema` returns. */
export function findSchema(classes: Classes, owner: Scope): Schema | undefined {
  const define = classes.member(owner, 'define_schema');
  if (define?.kind !== 'function') return undefined;
  const { scope } = define;
  for (const value of scope.returns) {
    const call = schemaCall(value, scope);
    if (call) return { call, scope };
  }
  return undefined;
}

function schemaCall(expression: Expression, scope: Scope, depth = 0): Call | undefined {
  if (expression.kind === 'call' && lastName(expression.callee) === 'Schema') return expression;
  if (expression.kind !== 'name' || depth > 3) return undefined;
  for (const bound of lookUp(scope, expression.id) ?? []) {
    const call =
      bound.kind === 'value' && !bound.isPart ? schemaCall(bound.value, bound.scope, depth + 1) : undefined;
    if (call) return call;
  }
  return undefined;
}

/** A node of the schema style; without a name when the schema does not spell it out. */
export function readSchema(literals: Literals, { call, scope }: Schema): Partial<InnerNode> {
  const valueOf = (name: string, position = -1): Value => {
    const argument = argumentOf(call.args, name, position);
    return argument ? literals.valueOf(argument, scope) : UNKNOWN;
  };
  const outputs = listItems(argumentOf(call.args, 'outputs', 4)).map((output) =>
    readOutput(literals, output, scope),
  );
  const isKnown = argumentOf(call.args, 'outputs', 4)?.kind === 'sequence';
  const inputs = argumentOf(call.args, 'inputs', 3);
  return {
    ...textField('comfy_node_name', valueOf('node_id', 0)),
    ...textField('category', valueOf('category', 2)),
    ...textField('description', valueOf('description')),
    ...(valueOf('is_deprecated') === true ? { deprecated: true } : {}),
    ...(valueOf('is_experimental') === true ? { experimental: true } : {}),
    ...jsonField(
      'input_types',
      inputs?.kind === 'sequence' ? readInputs(literals, inputs.items, scope) : UNKNOWN,
    ),
    ...jsonField('return_types', isKnown ? outputs.map(({ type }) => type) : UNKNOWN),
    ...jsonField('return_names', isKnown ? outputs.map(({ name }) => name) : UNKNOWN),
    ...(isKnown ? { output_is_list: outputs.map(({ isList }) => isList) } : {}),
  };
}

function readInputs(literals: Literals, items: readonly Expression[], scope: Scope): Value {
  const groups = new Map<string, Value>([['required', new Map<string, Value>()]]);
  for (const item of items) {
    const input = readInput(literals, item, scope);
    if (!input) continue;
    const { id, isOptional, type, options } = input;
    const key = isOptional ? 'optional' : 'required';
    const group = groups.get(key);
    const inputs = group instanceof Map ? group : new Map<string, Value>();
    groups.set(key, inputs.set(id, [type, options]));
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
function readInput(literals: Literals, item: Expression, scope: Scope): Input | undefined {
  if (item.kind !== 'call' || item.callee.kind !== 'attribute' || item.callee.id !== 'Input')
    return undefined;
  const [first] = item.args;
  const idOf = argumentOf(item.args, 'id', 0);
  // A type that takes another input's place carries its name there.
  const inner =
    first && lastName(item.callee.of) === 'MultiType' ? readInput(literals, first.value, scope) : undefined;
  const id = inner?.id ?? (idOf ? literals.valueOf(idOf, scope) : UNKNOWN);
  if (typeof id !== 'string') return undefined;
  const options = new Map<string, Value>();
  let isOptional = false;
  for (const { name, stars, value } of item.args) {
    if (name === undefined || name === 'id' || name === 'types' || stars > 0) continue;
    const known = literals.valueOf(value, scope);
    if (name === 'optional') isOptional = known === true;
    else if (known !== null) options.set(OPTION_NAMES[name] ?? name, known);
  }
  const choices = lastName(item.callee.of)?.endsWith('Combo')
    ? argumentOf(item.args, 'options', 1)
    : undefined;
  if (choices && !options.has('options')) options.set('options', literals.valueOf(choices, scope));
  return { id, isOptional, options, type: inputType(literals, item, scope) };
}

function inputType(literals: Literals, { callee, args }: Call, scope: Scope): Value {
  const of = callee.kind === 'attribute' ? callee.of : callee;
  if (lastName(of) !== 'MultiType') return typeOf(literals, of, scope);
  const [first] = args;
  const own = first?.value.kind === 'call' ? [inputType(literals, first.value, scope)] : [];
  const types = listItems(argumentOf(args, 'types', 1)).map((type) => typeOf(literals, type, scope));
  const all = [...new Set([...own, ...types])];
  return all.every((one) => typeof one === 'string') ? all.join(',') : UNKNOWN;
}

interface Output {
  readonly type: Value;
  readonly name: Value;
  readonly isList: boolean;
}

function readOutput(literals: Literals, output: Expression, scope: Scope): Output {
  if (output.kind !== 'call' || output.callee.kind !== 'attribute') {
    return { type: UNKNOWN, name: UNKNOWN, isList: false };
  }
  const { callee, args } = output;
  const type = typeOf(literals, callee.of, scope);
  const isMatch = lastName(callee.of) === 'MatchType';
  const named = argumentOf(args, 'display_name', isMatch ? 2 : 1);
  const isList = argumentOf(args, 'is_output_list', isMatch ? 4 : 3);
  const name = named ? literals.valueOf(named, scope) : type;
  return { type, name: name ?? type, isList: isList ? literals.valueOf(isList, scope) === true : false };
}

/** `io.Image`, `Image`, `io.Custom("NAME")` */
function typeOf(literals: Literals, expression: Expression, scope: Scope, isFollowed = false): Value {
  if (expression.kind === 'call') {
    const [first] = expression.args;
    return lastName(expression.callee) === 'Custom' && first ? literals.valueOf(first.value, scope) : UNKNOWN;
  }
  if (expression.kind === 'name' && !isFollowed) {
    // A type made once and used by name: `Curve = io.Custom("CURVE")`.
    const bound = lookUp(scope, expression.id)?.find((one) => one.kind === 'value' && !one.isPart);
    if (bound?.kind === 'value') return typeOf(literals, bound.value, bound.scope, true);
  }
  const name = lastName(expression);
  return name === undefined ? UNKNOWN : schemaType(name);
}

function argumentOf(args: readonly Argument[], name: string, position: number): Expression | undefined {
  const named = args.find((argument) => argument.name === name);
  if (named) return named.value;
  const argument = args[position];
  return argument?.name === undefined && argument?.stars === 0 ? argument.value : undefined;
}

function listItems(expression: Expression | undefined): readonly Expression[] {
  return expression?.kind === 'sequence' ? expression.items : [];
}

function lastName(expression: Expression): string | undefined {
  return expression.kind === 'name' || expression.kind === 'attribute' ? expression.id : undefined;
}

function textField<Key extends string>(key: Key, value: Value): { [name in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [name in Key]: string }) : {};
}

function jsonField<Key extends string>(key: Key, value: Value): { [name in Key]?: string } {
  const json = toJson(value);
  return json === undefined ? {} : ({ [key]: json } as { [name in Key]: string });
}
