import { type Command, InvalidArgumentError, Option } from 'commander';

import { integerBetween } from '../commands/number-option.ts';
import type { GenerationFlag } from './flags.ts';

const PLACEHOLDERS: Readonly<Record<GenerationFlag['type'], string>> = {
  integer: ' <number>',
  text: ' <text>',
  choice: ' <word>',
  switch: '',
  picture: ' <file>',
  pictures: ' <file>',
  address: ' <url>',
};

/** Adds a flag for each field. Its help shows the bounds, and values out of bounds are rejected. */
export function addFlags(command: Command, flags: readonly GenerationFlag[]): void {
  for (const one of flags) {
    const option = new Option(one.flag + PLACEHOLDERS[one.type], describe(one));
    if (one.choices) option.choices(one.choices);
    else option.argParser((text) => readValue(one, text));
    command.addOption(option.makeOptionMandatory(one.isRequired === true));
    // Only for flags that are on by default.
    if (one.type === 'switch' && one.default !== false)
      command.addOption(new Option(`--no-${one.flag.slice(2)}`, `not ${one.flag}`));
  }
}

function describe({ about, min, max, maxLength, mode, default: fallback }: GenerationFlag): string {
  const facts = [
    min !== undefined && max !== undefined ? `${min} to ${max}` : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    fallback === undefined || fallback === false
      ? undefined
      : `default: ${fallback === true ? 'on' : fallback}`,
    mode === undefined ? undefined : `--mode ${mode} only`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? about : `${about} (${facts.join('; ')})`;
}

function readValue(flag: GenerationFlag, text: string): string | number {
  const { type, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = flag;
  if (type === 'integer') return integerBetween(min, max)(text);
  if (flag.maxLength !== undefined && text.length > flag.maxLength)
    throw new InvalidArgumentError(`Must have at most ${flag.maxLength} characters, not ${text.length}.`);
  if (flag.pattern !== undefined && !new RegExp(flag.pattern).test(text))
    throw new InvalidArgumentError(`Must be ${flag.expects ?? `of the form ${flag.pattern}`}.`);
  return text;
}
