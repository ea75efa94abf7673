import type { InnerNode } from '../inspection.ts';
import { exportedBounds } from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Scope } from '../python/scopes.ts';
import { createMappings, type Mapping, merge } from './class-mappings.ts';
import { type Classes, createClasses } from './classes.ts';
import { createLiterals, type Literals, UNKNOWN, type Value } from './literal-values.ts';
import { findSchema, readSchema } from './schema-nodes.ts';
import { toJson } from './to-json.ts';

const REGISTERED = 'NODE_CLASS_MAPPINGS';

/** Every node that the pack registers or describes by a schema, unique by name and sorted by it. */
export function extractNodes(modules: Modules, limit: number): InnerNode[] {
  const classes = createClasses(modules);
  const literals = createLiterals(modules, classes);
  const mappings = createMappings(modules, classes, literals);
  const registered: Mapping = new Map();
  for (const { scope } of modules.all) {
    if (exportedBounds(modules, scope, REGISTERED)) merge(registered, mappings.ofVariable(scope, REGISTERED));
  }

  const nodes = new Map<string, InnerNode>();
  for (const [name, owner] of registered) nodes.set(name, readNode(classes, literals, name, owner));
  for (const owner of modules.all.flatMap(({ scope }) => [...classesIn(scope)])) {
    if (!owner.names.has('define_schema')) continue;
    const schema = findSchema(classes, owner);
    const node = schema && readSchema(literals, schema);
    const name = node?.comfy_node_name;
    if (name !== undefined && name !== '' && !nodes.has(name))
      nodes.set(name, { ...node, comfy_node_name: name });
  }
  return [...nodes.values()].sort((a, b) => (a.comfy_node_name < b.comfy_node_name ? -1 : 1)).slice(0, limit);
}

function readNode(classes: Classes, literals: Literals, name: string, owner: Scope | undefined): InnerNode {
  if (!owner) return { comfy_node_name: name };
  const schema = findSchema(classes, owner);
  if (schema) return { ...readSchema(literals, schema), comfy_node_name: name };

  const category = literals.memberOf(owner, 'CATEGORY');
  const description = literals.memberOf(owner, 'DESCRIPTION');
  const run = literals.memberOf(owner, 'FUNCTION');
  const inputs = inputTypes(classes, literals, owner);
  const inputJson = inputs instanceof Map ? toJson(inputs) : undefined;
  const returnNames = listJson(literals.memberOf(owner, 'RETURN_NAMES'));
  const returnTypes = listJson(literals.memberOf(owner, 'RETURN_TYPES'));
  const isList = literals.memberOf(owner, 'OUTPUT_IS_LIST');
  return {
    comfy_node_name: name,
    ...(typeof category === 'string' ? { category } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(literals.memberOf(owner, 'DEPRECATED') === true ? { deprecated: true } : {}),
    ...(literals.memberOf(owner, 'EXPERIMENTAL') === true ? { experimental: true } : {}),
    ...(typeof run === 'string' ? { function: run } : {}),
    ...(inputJson === undefined ? {} : { input_types: inputJson }),
    ...(returnNames === undefined ? {} : { return_names: returnNames }),
    ...(returnTypes === undefined ? {} : { return_types: returnTypes }),
    ...(isBooleans(isList) ? { output_is_list: isList } : {}),
  };
}

/** A method that returns a dictionary, or now and then the dictionary itself. */
function inputTypes(classes: Classes, literals: Literals, owner: Scope): Value {
  const method = classes.member(owner, 'INPUT_TYPES');
  if (method?.kind === 'function') return literals.returnOf(method);
  if (method?.kind !== 'value') return UNKNOWN;
  const { value, scope } = method;
  return literals.valueOf(value.kind === 'lambda' ? value.body : value, scope);
}

function listJson(value: Value): string | undefined {
  return Array.isArray(value) ? toJson(value) : undefined;
}

function isBooleans(value: Value): value is boolean[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'boolean');
}

function* classesIn(scope: Scope): Generator<Scope> {
  if (scope.kind === 'class') yield scope;
  for (const inner of scope.inner) yield* classesIn(inner);
}
