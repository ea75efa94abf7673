import type { PromptProblem } from '@atelier/contracts';
import type { Choice } from '../declare/inputs.ts';
import type { InputConfig } from '../declare/object-info.ts';
import { exactNumber } from '../python/exact-json.ts';
import { PythonFloat } from '../python/python-number.ts';
import { pythonRepr, pythonStr } from '../python/python-repr.ts';

/** Longer lists of choices are not repeated in the answer. */
const MAX_CHOICES = 20;
/** An answer repeats the given values, and every node of a large graph may be wrong. */
const MAX_TEXT = 200;
const MAX_ITEMS = 20;
export const MAX_DETAILS = 4000;

export function problem(
  type: string,
  message: string,
  details: string,
  extra_info: PromptProblem['extra_info'] = {},
): PromptProblem {
  return { type, message, details: cut(details, MAX_DETAILS), extra_info };
}

export function notInList(
  name: string,
  value: unknown,
  choices: readonly Choice[],
  config: InputConfig | null,
): PromptProblem {
  const many = choices.length > MAX_CHOICES;
  const list = many ? `(list of length ${choices.length})` : pythonRepr(choices);
  return problem('value_not_in_list', 'Value not in list', `${name}: '${shownText(value)}' not in ${list}`, {
    input_name: name,
    input_config: many ? null : config,
    received_value: shown(value),
  });
}

/** Describes anything that was thrown. `reader` is the input through which validation reached a node that is no output. */
export function exceptionProblem(
  thrown: unknown,
  reader?: { readonly input: string; readonly link: unknown; readonly config: InputConfig | null },
): PromptProblem {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const message = cut(error.message, MAX_DETAILS);
  const details = error instanceof BrokenLink ? error.advice : message;
  const told = {
    exception_message: message,
    exception_type: error.name,
    // A traceback would name files of this machine.
    traceback: [],
  };
  if (!reader) return problem('exception_during_validation', 'Exception when validating node', details, told);
  return problem('exception_during_inner_validation', 'Exception when validating inner node', details, {
    input_name: cut(reader.input),
    input_config: reader.config,
    ...told,
    linked_node: shown(reader.link),
  });
}

/** A link to nowhere. ComfyUI reports it as an exception; the advice is ours. */
export class BrokenLink extends Error {
  readonly advice: string;

  constructor(name: 'KeyError' | 'IndexError' | 'TypeError', message: string, advice: string) {
    super(message);
    this.name = name;
    this.advice = advice;
  }
}

export function cut(text: string, length: number = MAX_TEXT): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** A given value, as far as an answer repeats it. */
export function shown(value: unknown): unknown {
  return bounded(value, exactNumber);
}

/** The same as Python prints it. */
export function shownText(value: unknown): string {
  return cut(pythonStr(bounded(value, (integer) => integer)));
}

function bounded(value: unknown, integer: (value: bigint) => unknown): unknown {
  let room = MAX_ITEMS;

  function bound(item: unknown): unknown {
    if (typeof item === 'string') return cut(item);
    if (typeof item === 'bigint') return integer(item);
    if (typeof item !== 'object' || item === null || item instanceof PythonFloat) return item;
    if (Array.isArray(item)) return item.slice(0, room).flatMap((member: unknown) => [...within(member)]);
    const entries = Object.entries(item).slice(0, room);
    return Object.fromEntries(
      entries.flatMap(([key, member]) => [...within(member)].map((bare) => [cut(key), bare])),
    );
  }

  function within(member: unknown): readonly unknown[] {
    room -= 1;
    return room < 0 ? [] : [bound(member)];
  }

  return bound(value);
}
