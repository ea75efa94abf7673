import type { PromptProblem } from '@atelier/contracts';
import type { FlatInput } from '../declare/flat-inputs.ts';
import type { Input } from '../declare/inputs.ts';
import { NodeError } from '../node-error.ts';
import { floatRepr } from '../python/python-number.ts';
import { pythonStr } from '../python/python-repr.ts';
import { type Declarations, unwrap } from './declarations.ts';
import { notInList, problem, shown, shownText } from './problems.ts';
import type { DraftNode } from './prompt-draft.ts';
import { toBoolean, toFloat, toInt } from './python-values.ts';

interface ValueParts {
  readonly declarations: Declarations;
  /** The node checks the input itself, so its bounds and choices are not checked here. */
  readonly hasOwnCheck: boolean;
}

/** Converts a constant in place and returns its problem, if any. */
export async function checkValue(
  node: DraftNode,
  { name, input }: FlatInput,
  { declarations, hasOwnCheck }: ValueParts,
): Promise<PromptProblem | undefined> {
  const given = unwrap(node.inputs[name]);
  const about = async (value: unknown) => ({
    input_name: name,
    input_config: await declarations.shownConfig(input),
    received_value: shown(value),
  });
  let value: unknown;
  try {
    value = convert(input, given);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const type = await declarations.typeText(input);
    return problem(
      'invalid_input_type',
      `Failed to convert an input value to a ${type} value`,
      `${name}, ${shownText(given)}, ${error.message}`,
      { ...(await about(given)), exception_message: error.message },
    );
  }
  node.inputs[name] = value;
  if (hasOwnCheck) return undefined;
  const fault = findBoundFault(input, value);
  if (fault) return problem(...fault, name, await about(value));
  // The choices of a remote combo are not known here.
  if (input.kind === 'combo' && input.style !== 'remote') {
    const choices = await declarations.choices(input);
    if (choices.has(value)) return undefined;
    return notInList(name, value, choices.list, await declarations.shownConfig(input));
  }
  if (input.kind === 'dynamicCombo' && !(typeof value === 'string' && Object.hasOwn(input.choices, value))) {
    return notInList(name, value, Object.keys(input.choices), await declarations.shownConfig(input));
  }
  return undefined;
}

function findBoundFault(input: Input, value: unknown): readonly [type: string, message: string] | undefined {
  if (input.kind !== 'int' && input.kind !== 'float') return undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const { min, max } = input.options;
  const print = (number: number | bigint) =>
    input.kind === 'float' && typeof number === 'number' ? floatRepr(number) : pythonStr(number);
  if (min !== undefined && value < min)
    return ['value_smaller_than_min', `Value ${print(value)} smaller than min of ${print(min)}`];
  if (max !== undefined && value > max)
    return ['value_bigger_than_max', `Value ${print(value)} bigger than max of ${print(max)}`];
  return undefined;
}

function convert(input: Input, value: unknown): unknown {
  if (input.kind === 'int') return toInt(value);
  if (input.kind === 'float') return toFloat(value);
  if (input.kind === 'string') return pythonStr(value);
  return input.kind === 'boolean' ? toBoolean(value) : value;
}
