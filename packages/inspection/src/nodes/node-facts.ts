import { present } from '@atelier/contracts/present';

import type { InnerNode } from '../inspection.ts';
import { memberOf } from '../interpreter/class-members.ts';
import { Exhausted, type Interpreter } from '../interpreter/machine.ts';
import { type ClassValue, isKind, textOf, UNKNOWN, type Value } from '../interpreter/values.ts';
import { callOnClass, findSchema, readSchema } from './schema-nodes.ts';
import { inputsToJson, toJson } from './to-json.ts';

const STEPS = 20_000;

export function readNode(it: Interpreter, name: string, owner: ClassValue | undefined): InnerNode {
  if (!owner) return { comfy_node_name: name };
  const schema = readSchemaNode(it, owner);
  if (schema) return { ...schema, comfy_node_name: name };

  const member = (id: string) => withAllowance(it, () => memberOf(it, owner, id)) ?? UNKNOWN;
  return {
    comfy_node_name: name,
    ...present({
      category: textOf(member('CATEGORY')),
      description: textOf(member('DESCRIPTION')),
      deprecated: member('DEPRECATED') === true || undefined,
      experimental: member('EXPERIMENTAL') === true || undefined,
      function: textOf(member('FUNCTION')),
      input_types: withAllowance(it, () => inputsToJson(inputTypes(it, owner))),
      return_names: listJson(member('RETURN_NAMES')),
      return_types: listJson(member('RETURN_TYPES')),
      output_is_list: booleans(member('OUTPUT_IS_LIST')),
    }),
  };
}

/** A node described by a schema; `undefined` for a class without one. */
export function readSchemaNode(it: Interpreter, owner: ClassValue): Partial<InnerNode> | undefined {
  return withAllowance(it, () => {
    const schema = findSchema(it, owner);
    return schema && readSchema(it, schema);
  });
}

/** A method that returns a dictionary, or sometimes the dictionary itself. */
function inputTypes(it: Interpreter, owner: ClassValue): Value {
  const method = memberOf(it, owner, 'INPUT_TYPES') ?? UNKNOWN;
  return isKind(method, 'function') ? callOnClass(it, owner, method) : method;
}

/** Runs a step with its own allowance; `undefined` if the allowance is used up. */
export function withAllowance<Answer>(it: Interpreter, question: () => Answer): Answer | undefined {
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
  if (!isKind(value, 'list') || value.gaps !== 0) return undefined;
  const known = value.items.filter((one) => typeof one === 'boolean');
  return known.length === value.items.length ? known : undefined;
}
