import { isObject } from '@atelier/contracts/is-object';
import type { NodePack } from '../declare/node-pack.ts';

/**
 * What is wrong with what a module exports as its `pack`, as a sentence; `undefined` when nothing is. Packs of others may
 * be plain JavaScript, and a node type of the wrong shape would be met first where all node types are listed.
 */
export function findPackFault(pack: unknown): string | undefined {
  if (!isObject(pack) || typeof pack['name'] !== 'string' || !Array.isArray(pack['nodes'])) {
    return 'it does not export a `pack` made with `definePack`.';
  }
  const names = new Set<unknown>();
  for (const [index, node] of pack['nodes'].entries()) {
    if (!isObject(node)) return `node ${index + 1} is not an object; declare it with \`defineNode\`.`;
    const { type } = node;
    if (!isName(type)) return `node ${index + 1} has a \`type\` that is not a name.`;
    const fault = findNodeFault(node);
    if (fault) return `node type ${type}: ${fault}. Declare it with \`defineNode\`.`;
    if (names.has(type)) return `it declares ${type} twice.`;
    names.add(type);
  }
  return undefined;
}

export function isPack(pack: unknown): pack is NodePack {
  return findPackFault(pack) === undefined;
}

type Shape = readonly [what: string, test: (value: unknown) => boolean];

const TEXT: Shape = ['a text', (value) => typeof value === 'string'];
const TEXTS: Shape = ['a list of texts', isTexts];
const SWITCH: Shape = ['true or false', (value) => typeof value === 'boolean'];
const FUNCTION: Shape = ['a function', isFunction];
const MEMBERS: Readonly<Record<string, Shape>> = {
  category: TEXT,
  inputs: ['an object of inputs', isObject],
  outputs: ['a list of outputs', (value) => Array.isArray(value) && value.every(isOutput)],
  run: FUNCTION,
  title: TEXT,
  description: TEXT,
  searchAliases: TEXTS,
  essentialsCategory: maybe(TEXT),
  hidden: ['an object of texts', (value) => isObject(value) && isTexts(Object.values(value))],
  outputNode: SWITCH,
  hasIntermediateOutput: SWITCH,
  deprecated: SWITCH,
  experimental: SWITCH,
  apiNode: SWITCH,
  notIdempotent: SWITCH,
  inputIsList: SWITCH,
  async: SWITCH,
  acceptsAll: SWITCH,
  fingerprint: maybe(FUNCTION),
  validate: maybe(['an object with `inputs` and `check`', isCheck]),
  needs: maybe(FUNCTION),
};

function findNodeFault(node: Readonly<Record<string, unknown>>): string | undefined {
  for (const [member, [what, test]] of Object.entries(MEMBERS)) {
    if (!test(node[member])) return `\`${member}\` must be ${what}`;
  }
  return findInputFault(node['inputs']);
}

/** By their own names, `shape.side`, since inputs may have inputs. */
function findInputFault(inputs: unknown, prefix = ''): string | undefined {
  if (!isObject(inputs)) return `the inputs of \`${prefix.slice(0, -1)}\` must be an object of inputs`;
  for (const [key, input] of Object.entries(inputs)) {
    const name = prefix + key;
    if (!isName(key)) return `an input cannot be called \`${name}\``;
    if (!isInput(input)) return `the input \`${name}\` is not an input, such as int() or link('IMAGE')`;
    const further = input['kind'] === 'dynamicCombo' ? Object.values(input['choices'] ?? {}) : [];
    for (const own of further) {
      const fault = findInputFault(own, `${name}.`);
      if (fault) return fault;
    }
  }
  return undefined;
}

const KINDS: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => boolean>> = {
  int: () => true,
  float: () => true,
  string: () => true,
  boolean: () => true,
  combo: ({ choices, style }) =>
    (isTexts(choices) || isFunction(choices)) && (style === 'list' || style === 'named'),
  link: ({ socket }) => typeof socket === 'string',
  dynamicCombo: ({ choices }) => isObject(choices),
  autogrow: ({ item, names, min }) => isInput(item) && isTexts(names) && typeof min === 'number',
  matchType: ({ template, allowed }) => typeof template === 'string' && typeof allowed === 'string',
};

function isInput(input: unknown): input is Readonly<Record<string, unknown>> {
  if (!isObject(input) || typeof input['optional'] !== 'boolean' || !isObject(input['options'])) return false;
  const { kind } = input;
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) && KINDS[kind]?.(input) === true;
}

function isOutput(output: unknown): boolean {
  return (
    isObject(output) &&
    typeof output['socket'] === 'string' &&
    typeof output['name'] === 'string' &&
    typeof output['isList'] === 'boolean'
  );
}

function isCheck(value: unknown): boolean {
  if (!isObject(value) || !isFunction(value['check'])) return false;
  return value['inputs'] === 'all' || isTexts(value['inputs']);
}

/** Results and inputs are objects by name, where this one would be their prototype. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '__proto__';
}

function maybe([what, test]: Shape): Shape {
  return [what, (value) => value === undefined || test(value)];
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
