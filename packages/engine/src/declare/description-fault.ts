import { isObject } from '@atelier/contracts/is-object';
import { isFolderName } from '../files.ts';
import type { Choice } from './inputs.ts';

export type Shape = readonly [what: string, test: (value: unknown) => boolean];

const TEXT: Shape = ['a text', (value) => typeof value === 'string'];
const TEXTS: Shape = ['a list of texts', isTexts];
const SWITCH: Shape = ['true or false', (value) => typeof value === 'boolean'];
const MEMBERS: Readonly<Record<string, Shape>> = {
  type: ['a name', isName],
  category: TEXT,
  inputs: ['an object of inputs', isObject],
  outputs: ['a list of outputs', (value) => Array.isArray(value) && value.every(isOutput)],
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
  validate: maybe(['an object with `inputs` and `check`', isCheck]),
  foreign: maybe(['an object with `members`, `sections` and `hidden`', isForeign]),
};

/** What is wrong with the data of a node type, as a sentence without its end; `undefined` when nothing is. */
export function findDescriptionFault(node: Readonly<Record<string, unknown>>): string | undefined {
  return findMemberFault(node, MEMBERS) ?? findInputFault(node['inputs']);
}

export function findMemberFault(
  node: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, Shape>>,
): string | undefined {
  for (const [member, [what, test]] of Object.entries(members)) {
    if (!test(node[member])) return `\`${member}\` must be ${what}`;
  }
  return undefined;
}

/** By their own names, `shape.side`, since inputs may have inputs. */
function findInputFault(inputs: unknown, prefix = ''): string | undefined {
  if (!isObject(inputs)) return `the inputs of \`${prefix.slice(0, -1)}\` must be an object of inputs`;
  for (const [key, input] of Object.entries(inputs)) {
    const name = prefix + key;
    if (!isName(key)) return `an input cannot be called \`${name}\``;
    if (isObject(input) && typeof input['choices'] === 'function') {
      return `the input \`${name}\` lists files with a function; write fileCombo({ folder: 'input' })`;
    }
    if (!isInput(input)) return `the input \`${name}\` is not an input, such as int() or link('IMAGE')`;
    for (const own of furtherInputs(input)) {
      const fault = findInputFault(own, `${name}.`);
      if (fault) return fault;
    }
  }
  return undefined;
}

function furtherInputs({ kind, choices, item }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (kind === 'dynamicCombo') return Object.values(choices ?? {});
  return kind === 'autogrow' ? [{ item }] : [];
}

type Test = (input: Readonly<Record<string, unknown>>) => boolean;

const KINDS: Readonly<Record<string, Test>> = {
  int: hasBounds,
  float: hasBounds,
  string: () => true,
  boolean: () => true,
  combo: ({ choices, style }) =>
    (isChoices(choices) || isFileChoices(choices)) &&
    (style === 'list' || style === 'named' || style === 'remote'),
  link: ({ socket }) => typeof socket === 'string',
  dynamicCombo: ({ choices }) => isObject(choices),
  autogrow: ({ names, prefix, min }) => isTexts(names) && isTextOrAbsent(prefix) && typeof min === 'number',
  matchType: ({ template, allowed }) => typeof template === 'string' && typeof allowed === 'string',
};

function isInput(input: unknown): input is Readonly<Record<string, unknown>> {
  if (!isObject(input) || typeof input['optional'] !== 'boolean' || !isObject(input['options'])) return false;
  const { kind } = input;
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) && KINDS[kind]?.(input) === true;
}

function hasBounds({ options }: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(options)) return false;
  return [options['min'], options['max']].every(
    (bound) => bound === undefined || typeof bound === 'number' || typeof bound === 'bigint',
  );
}

function isFileChoices(choices: unknown): boolean {
  if (!isObject(choices) || !isFolderName(choices['folder'])) return false;
  return choices['endings'] === undefined || isTexts(choices['endings']);
}

function isOutput(output: unknown): boolean {
  return (
    isObject(output) &&
    typeof output['socket'] === 'string' &&
    typeof output['name'] === 'string' &&
    typeof output['isList'] === 'boolean' &&
    isTextOrAbsent(output['tooltip']) &&
    isTextOrAbsent(output['template']) &&
    (output['choices'] === undefined || isChoices(output['choices']))
  );
}

const CHECKS: Readonly<Record<string, Test>> = {
  custom: () => true,
  any: () => true,
  file: ({ media }) => media === undefined || media === 'image' || media === 'audio' || media === 'video',
  number: ({ choices }) => Array.isArray(choices) && choices.every((one) => typeof one === 'number'),
};

function isForeign(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['members']) || !isObject(value['hidden'])) return false;
  return isTexts(value['sections']);
}

function isCheck(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['check'])) return false;
  const { inputs, takesTypes, check } = value;
  if (inputs !== 'all' && !isTexts(inputs)) return false;
  if (takesTypes !== undefined && typeof takesTypes !== 'boolean') return false;
  const { kind } = check;
  return typeof kind === 'string' && Object.hasOwn(CHECKS, kind) && CHECKS[kind]?.(check) === true;
}

/** Results and inputs are objects by name, where this one would be their prototype. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '__proto__';
}

export function maybe([what, test]: Shape): Shape {
  return [what, (value) => value === undefined || test(value)];
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isChoices(value: unknown): boolean {
  return Array.isArray(value) && value.every(isChoice);
}

export function isChoice(value: unknown): value is Choice {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
