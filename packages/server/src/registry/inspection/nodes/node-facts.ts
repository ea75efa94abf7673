import type { InnerNode } from '../inspection.ts';
import { memberOf } from '../interpreter/class-members.ts';
import { Exhausted, type Interpreter } from '../interpreter/machine.ts';
import { type ClassValue, isKind, UNKNOWN, type Value } from '../interpreter/values.ts';
import { findSchema, readSchema } from './schema-nodes.ts';
import { inputsToJson, toJson } from './to-json.ts';

const STEPS = 20_000;

/** What the sources tell of a node that is registered under a name. */
export function readNode(it: Interpreter, name: string, owner: ClassValue | undefined): InnerNode {
  if (!owner) return { comfy_node_name: name };
  const schema = readSchemaNode(it, owner);
  if (schema) return { ...schema, comfy_node_name: name };

  const member = (id: string) => ask(it, () => memberOf(it, owner, id)) ?? UNKNOWN;
  const category = member('CATEGORY');
  const description = member('DESCRIPTION');
  const run = member('FUNCTION');
  const inputJson = ask(it, () => inputsToJson(inputTypes(it, owner)));
  const returnNames = listJson(member('RETURN_NAMES'));
  const returnTypes = listJson(member('RETURN_TYPES'));
  const isList = booleans(member('OUTPUT_IS_LIST'));
  return {
    comfy_node_name: name,
    ...(typeof category === 'string' ? { category } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(member('DEPRECATED') === true ? { deprecated: true } : {}),
    ...(member('EXPERIMENTAL') === true ? { experimental: true } : {}),
    ...(typeof run === 'string' ? { function: run } : {}),
    ...(inputJson === undefined ? {} : { input_types: inputJson }),
    ...(returnNames === undefined ? {} : { return_names: returnNames }),
    ...(returnTypes === undefined ? {} : { return_types: returnTypes }),
    ...(isList ? { output_is_list: isList } : {}),
  };
}

/** A node that describes itself by a schema; `undefined` for a class that does not. */
export function readSchemaNode(it: Interpreter, owner: ClassValue): Partial<InnerNode> | undefined {
  return ask(it, () => {
    const schema = findSchema(it, owner);
    return schema && readSchema(it, schema);
  });
}

/** A method that returns a dictionary, or now and then the dictionary itself. */
function inputTypes(it: Interpreter, owner: ClassValue): Value {
  const method = memberOf(it, owner, 'INPUT_TYPES') ?? UNKNOWN;
  if (!isKind(method, 'function')) return method;
  const isBound = method.binding !== 'static' && method.parameters.length > 0;
  return it.callFunction(isBound ? { ...method, self: owner } : method, []);
}

/** Each question has an allowance of its own; where that does not do, there is no answer. */
export function ask<Answer>(it: Interpreter, question: () => Answer): Answer | undefined {
  try {
    return it.machine.apart(STEPS, question);
  } catch (error) {
    if (error instanceof Exhausted) return undefined;
    throw error;
  }
}

function listJson(value: Value): string | undefined {
  return isKind(value, 'list') ? toJson(value) : undefined;
}

function booleans(value: Value): boolean[] | undefined {
  if (!isKind(value, 'list') || value.doubts !== 0) return undefined;
  const known = value.items.filter((one) => typeof one === 'boolean');
  return known.length === value.items.length ? known : undefined;
}
