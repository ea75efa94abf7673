import type { PromptProblem } from '@atelier/contracts';
import type { NodeCatalogue } from '../catalogue.ts';
import { type FlatInput, flatInputs, nestInputs } from '../declare/flat-inputs.ts';
import type { CheckContext, NodeType } from '../declare/node-type.ts';
import { choicesOf, type InputConfig, toInputConfig } from '../declare/object-info.ts';
import { isLink } from '../graph.ts';
import { notInList, problem } from './problems.ts';
import { ConversionError, pythonStr, toBoolean, toFloat, toInt } from './python-values.ts';
import { typesMatch } from './type-match.ts';

/** A node of the graph while it is validated: converted values are written back. */
export interface DraftNode {
  readonly class_type: string;
  readonly inputs: Record<string, unknown>;
}

export type Draft = Readonly<Record<string, DraftNode>>;

/** A link to nowhere. The host application meets it as an exception, and tells it so. */
export class BrokenLink extends Error {
  constructor(name: 'KeyError' | 'IndexError' | 'TypeError', message: string) {
    super(message);
    this.name = name;
  }
}

export interface NodeParts {
  readonly catalogue: NodeCatalogue;
  readonly graph: Draft;
  readonly files: CheckContext['files'];
}

/**
 * What is wrong with a node's own inputs; the nodes it links to are somebody else's. Values are converted in place.
 * Throws `BrokenLink` for links that lead nowhere.
 */
export async function validateNode(parts: NodeParts, id: string, type: NodeType): Promise<PromptProblem[]> {
  const node = nodeAt(parts.graph, id);
  const problems: PromptProblem[] = [];
  const types: Record<string, string> = {};
  for (const flat of flatInputs(type, node.inputs)) {
    const found = await checkInput(parts, type, node, flat, types);
    if (found) problems.push(found);
  }
  if (problems.length === 0) problems.push(...(await customProblems(parts, type, node, types)));
  return problems;
}

async function checkInput(
  parts: NodeParts,
  type: NodeType,
  node: DraftNode,
  { name, input, optional }: FlatInput,
  types: Record<string, string>,
): Promise<PromptProblem | undefined> {
  if (!Object.hasOwn(node.inputs, name)) {
    if (optional) return undefined;
    const short = name.split('.').at(-1) ?? name;
    return problem('required_input_missing', 'Required input is missing', short, { input_name: name });
  }
  const value = node.inputs[name];
  const config = await toInputConfig(input, parts.files);
  if (!Array.isArray(value)) return await checkValue(parts, type, node, { name, input, config });
  if (value.length !== 2) {
    return problem(
      'bad_linked_input',
      'Bad linked input, must be a length-2 list of [node_id, slot_index]',
      name,
      {
        input_name: name,
        input_config: config,
        received_value: value,
      },
    );
  }
  const given = typeOfLink(parts, value);
  types[name] = given;
  if (type.validate?.takesTypes || typesMatch(given, config[0])) return undefined;
  const wanted =
    typeof config[0] === 'string' ? config[0] : `[${config[0].map((one) => `'${one}'`).join(', ')}]`;
  return problem(
    'return_type_mismatch',
    'Return type mismatch between linked nodes',
    `${name}, received_type(${given}) mismatch input_type(${wanted})`,
    { input_name: name, input_config: config, received_type: given, linked_node: value },
  );
}

function typeOfLink({ graph, catalogue }: NodeParts, value: readonly unknown[]): string {
  const [from, slot] = value;
  const source = nodeAt(graph, String(from));
  if (typeof slot !== 'number' || !Number.isInteger(slot)) {
    throw new BrokenLink('TypeError', 'The slot of a link must be a whole number.');
  }
  const output = catalogue.get(source.class_type)?.outputs.at(slot);
  if (!output) throw new BrokenLink('IndexError', `Node ${String(from)} has no output ${slot}.`);
  return output.socket;
}

function nodeAt(graph: Draft, id: string): DraftNode {
  const node = Object.hasOwn(graph, id) ? graph[id] : undefined;
  if (!node) throw new BrokenLink('KeyError', `'${id}'`);
  return node;
}

interface Declared {
  readonly name: string;
  readonly input: FlatInput['input'];
  readonly config: InputConfig;
}

async function checkValue(
  parts: NodeParts,
  type: NodeType,
  node: DraftNode,
  { name, input, config }: Declared,
): Promise<PromptProblem | undefined> {
  const given = unwrap(node.inputs[name]);
  const about = { input_name: name, input_config: config };
  let value: unknown;
  try {
    value = convert(input.kind, given);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return problem(
      'invalid_input_type',
      `Failed to convert an input value to a ${String(config[0])} value`,
      `${name}, ${pythonStr(given)}, ${error.message}`,
      { ...about, received_value: given, exception_message: error.message },
    );
  }
  node.inputs[name] = value;
  if (isJudged(type, name)) return undefined;
  const received = { ...about, received_value: value };
  if (typeof value === 'number' && (input.kind === 'int' || input.kind === 'float')) {
    const { min, max } = input.options;
    if (min !== undefined && !(value >= min)) {
      return problem('value_smaller_than_min', `Value ${value} smaller than min of ${min}`, name, received);
    }
    if (max !== undefined && !(value <= max)) {
      return problem('value_bigger_than_max', `Value ${value} bigger than max of ${max}`, name, received);
    }
  }
  if (input.kind === 'combo') {
    const choices = await choicesOf(input, parts.files);
    if (!choices.some((choice) => choice === value)) return notInList(name, value, choices, config);
  }
  if (input.kind === 'dynamicCombo' && !(typeof value === 'string' && Object.hasOwn(input.choices, value))) {
    return notInList(name, value, Object.keys(input.choices), config);
  }
  return undefined;
}

/** Lists as values are wrapped, since a bare list is a link. */
function unwrap(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;
}

function convert(kind: FlatInput['input']['kind'], value: unknown): unknown {
  if (kind === 'int') return toInt(value);
  if (kind === 'float') return toFloat(value);
  if (kind === 'string') return pythonStr(value);
  if (kind === 'boolean') return toBoolean(value);
  return value;
}

function isJudged({ validate }: NodeType, name: string): boolean {
  return validate !== undefined && (validate.inputs === 'all' || validate.inputs.includes(name));
}

/** The node's own judgement: one problem for each input it judges. */
async function customProblems(
  { files }: NodeParts,
  type: NodeType,
  node: DraftNode,
  types: Readonly<Record<string, string>>,
): Promise<PromptProblem[]> {
  if (!type.validate) return [];
  const constants = Object.entries(node.inputs).filter(([, value]) => !isLink(value));
  const verdict = await type.validate.check(nestInputs(type, Object.fromEntries(constants)), {
    files,
    types,
  });
  if (verdict === true) return [];
  const judged = constants.map(([name]) => name).filter((name) => isJudged(type, name));
  return judged.map((name) =>
    problem(
      'custom_validation_failed',
      'Custom validation failed for node',
      verdict === false ? name : `${name} - ${verdict}`,
      { input_name: name },
    ),
  );
}
