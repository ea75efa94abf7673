import type { PromptProblem } from '@atelier/contracts';
import type { InputConfig } from '../declare/object-info.ts';

/** Combos with more choices than this are not repeated in the answer. */
const MAX_CHOICES = 20;

export function problem(
  type: string,
  message: string,
  details: string,
  extra_info: PromptProblem['extra_info'] = {},
): PromptProblem {
  return { type, message, details, extra_info };
}

export function notInList(
  name: string,
  value: unknown,
  choices: readonly string[],
  config: InputConfig,
): PromptProblem {
  const many = choices.length > MAX_CHOICES;
  const list = many
    ? `(list of length ${choices.length})`
    : `[${choices.map((choice) => `'${choice}'`).join(', ')}]`;
  return problem('value_not_in_list', 'Value not in list', `${name}: '${String(value)}' not in ${list}`, {
    input_name: name,
    input_config: many ? null : config,
    received_value: value,
  });
}
