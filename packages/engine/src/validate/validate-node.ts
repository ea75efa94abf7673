import type { PromptProblem } from '@atelier/contracts';
import type { NodeCatalogue } from '../catalogue.ts';
import { closestName, didYouMean } from '../closest-name.ts';
import type { FlatInput } from '../declare/flat-inputs.ts';
import type { CheckDescription, NodeDescription } from '../declare/node-description.ts';
import type { CheckResult } from '../declare/node-type.ts';
import type { Output } from '../declare/outputs.ts';
import type { FileNames } from '../files.ts';
import { isLink } from '../graph.ts';
import { withoutForms } from '../python/python-number.ts';
import { pythonRepr, pythonTypeName } from '../python/python-repr.ts';
import type { CheckQuestion } from './answer-check.ts';
import { checkValue } from './check-value.ts';
import type { Declarations } from './declarations.ts';
import { engineCheck } from './engine-check.ts';
import { BrokenLink, cut, problem, shown } from './problems.ts';
import type { Draft, DraftNode } from './prompt-draft.ts';
import { typesMatch } from './type-match.ts';
import { unknownNames } from './unknown-inputs.ts';

/** Unknown inputs that are named for each missing one. */
const MAX_UNKNOWN = 5;

export interface NodeParts {
  readonly catalogue: NodeCatalogue;
  readonly draft: Draft;
  readonly declarations: Declarations;
  readonly files: FileNames;
  readonly askCheck: (question: CheckQuestion) => Promise<CheckResult>;
}

/** Converts the constants of a node in place and returns the problems of its inputs. Throws `BrokenLink` for a link to nowhere. */
export async function validateNode(
  parts: NodeParts,
  node: DraftNode,
  type: NodeDescription,
): Promise<PromptProblem[]> {
  const problems: PromptProblem[] = [];
  const types = new Map<string, string>();
  const unread = new Set<string>();
  for (const flat of parts.declarations.of(node).values()) {
    const found = await checkInput(parts, type, node, flat, types);
    if (found?.type === 'invalid_input_type') unread.add(flat.name);
    if (found) problems.push(found);
  }
  const { validate } = type;
  if (!validate) return problems;
  const given = Object.entries(node.inputs).filter(
    ([name, value]) =>
      isLink(value) || (!unread.has(name) && (type.acceptsAll || parts.declarations.of(node).has(name))),
  );
  try {
    return [...problems, ...(await customProblems(parts, { type: type.type, validate }, given, types))];
  } catch (error) {
    // The inputs are known to be wrong, so a check that fails on them says nothing new.
    if (problems.length > 0) return problems;
    throw error;
  }
}

async function checkInput(
  { catalogue, draft, declarations }: NodeParts,
  type: NodeDescription,
  node: DraftNode,
  flat: FlatInput,
  types: Map<string, string>,
): Promise<PromptProblem | undefined> {
  const { name, input, optional } = flat;
  if (!Object.hasOwn(node.inputs, name)) {
    if (optional) return undefined;
    return missingInput(type, node, name);
  }
  const value = node.inputs[name];
  if (!Array.isArray(value)) {
    return await checkValue(node, flat, { declarations, hasOwnCheck: hasOwnCheck(type, name) });
  }
  if (value.length !== 2) {
    const message = 'Bad linked input, must be a length-2 list of [node_id, slot_index]';
    const input_config = await declarations.shownConfig(input);
    const extra = { input_name: name, input_config, received_value: shown(value) };
    return problem('bad_linked_input', message, name, extra);
  }
  const output = outputOfLink(draft, catalogue, name, value);
  const given = output.socket;
  types.set(name, given);
  if (type.validate?.takesTypes) return undefined;
  const [wanted] = await declarations.config(input);
  if (typesMatch(output, wanted)) return undefined;
  return problem(
    'return_type_mismatch',
    'Return type mismatch between linked nodes',
    `${name}, received_type(${given}) mismatch input_type(${await declarations.typeText(input)})`,
    {
      input_name: name,
      input_config: await declarations.shownConfig(input),
      received_type: given,
      linked_node: shown(value),
    },
  );
}

function missingInput(type: NodeDescription, node: DraftNode, name: string): PromptProblem {
  const short = name.split('.').at(-1) ?? name;
  const unknown = unknownNames(type, node.inputs, MAX_UNKNOWN).map(([given]) => cut(given));
  const message = 'Required input is missing';
  if (unknown.length === 0) return problem('required_input_missing', message, short, { input_name: name });
  const isMeant = unknown.some((given) => closestName(given, [short, name]) !== undefined);
  const advice = didYouMean(isMeant ? name : undefined);
  const details = `${short}. The node has no input ${unknown.join(', ')}.${advice}`;
  return problem('required_input_missing', message, details, { input_name: name, unknown_inputs: unknown });
}

/** Stricter than Python, where a negative slot counts from the end. */
function outputOfLink(
  draft: Draft,
  catalogue: NodeCatalogue,
  input: string,
  [from, slot]: readonly unknown[],
): Output {
  const link = 'A link is a list of a node id and the number of an output, such as ["1", 0].';
  if (typeof from === 'object' && from !== null) {
    const got = pythonTypeName(from);
    throw new BrokenLink('TypeError', `unhashable type: '${got}'`, `${input}: no node id. ${link}`);
  }
  const source = typeof from === 'string' ? draft.get(from) : undefined;
  if (!source) {
    const id = typeof from === 'string' ? cut(from) : pythonRepr(from);
    const isQuoted = typeof from === 'string' || !draft.has(String(from));
    throw new BrokenLink(
      'KeyError',
      typeof from === 'string' ? pythonRepr(id) : id,
      `${input} links to node ${id}, which is not in the workflow.${isQuoted ? '' : ` Write the id as a text: "${id}".`}`,
    );
  }
  const { outputs } = catalogue.get(source.class_type) ?? { outputs: [] };
  if (typeof slot !== 'number' || !Number.isInteger(slot)) {
    const got = pythonTypeName(slot);
    const message = `tuple indices must be integers or slices, not ${got}`;
    throw new BrokenLink('TypeError', message, `${input}: the number of the output is missing. ${link}`);
  }
  const output = outputs[slot];
  if (!output) {
    const count = outputs.length === 1 ? '1 output' : `${outputs.length} outputs`;
    throw new BrokenLink(
      'IndexError',
      'tuple index out of range',
      `${input} links to output ${slot} of node ${cut(String(from))} (${source.class_type}), which has ${count}, counted from 0.`,
    );
  }
  return output;
}

function hasOwnCheck({ validate }: Pick<NodeDescription, 'validate'>, name: string): boolean {
  return validate !== undefined && (validate.inputs === 'all' || validate.inputs.includes(name));
}

/** Runs the node's own check. It gives one problem for each input it covers, linked or not. */
async function customProblems(
  { files, askCheck }: NodeParts,
  type: { readonly type: string; readonly validate: CheckDescription },
  given: readonly (readonly [name: string, value: unknown])[],
  types: ReadonlyMap<string, string>,
): Promise<PromptProblem[]> {
  const { check, takesTypes } = type.validate;
  const constants = Object.fromEntries(given.filter(([, value]) => !isLink(value)));
  const { values, types: floats } = withoutForms(constants);
  const result =
    check.kind === 'custom'
      ? await askCheck({ type: type.type, values, types: { ...Object.fromEntries(types), ...floats } })
      : await engineCheck(
          check,
          Object.entries(values).filter(([name]) => hasOwnCheck(type, name)),
          files,
        );
  if (result === true) return [];
  const checked = given.map(([name]) => name).filter((name) => hasOwnCheck(type, name));
  // ComfyUI counts the types among the checked inputs.
  return [...checked, ...(takesTypes ? ['input_types'] : [])].map((name) =>
    problem(
      'custom_validation_failed',
      'Custom validation failed for node',
      result === false ? name : `${name} - ${result}`,
      { input_name: name },
    ),
  );
}
