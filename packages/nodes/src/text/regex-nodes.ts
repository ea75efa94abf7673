import {
  boolean,
  combo,
  createTextBuilder,
  defineNode,
  type InputValues,
  int,
  NodeError,
  optional,
  output,
  string,
} from '@atelier/engine';
import { compilePattern, findMatches, type Match, type Pattern } from './regex/pattern.ts';
import { PatternError } from './regex/pattern-tree.ts';
import { substitute } from './regex/replacement.ts';

const subject = { string: string({ multiline: true }), regex_pattern: string({ multiline: true }) };
const flags = {
  case_insensitive: boolean({ default: true, advanced: true }),
  multiline: boolean({ default: false, advanced: true }),
  dotall: boolean({ default: false, advanced: true }),
};

type PatternInputs = Pick<InputValues<typeof subject>, 'regex_pattern'> &
  Partial<{ [Flag in keyof typeof flags]: boolean | undefined }>;

function compile(inputs: PatternInputs): Pattern {
  const { regex_pattern, case_insensitive: ignoreCase = true, multiline = false, dotall = false } = inputs;
  return compilePattern(regex_pattern, { ignoreCase, multiline, dotAll: dotall });
}

/** These nodes find nothing if the pattern is malformed. */
function compileOrNothing(inputs: PatternInputs): Pattern | undefined {
  try {
    return compile(inputs);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

export const regexMatch = defineNode({
  type: 'RegexMatch',
  title: 'Match Text',
  category: 'text',
  description: 'Says whether a regular expression is found in a text.',
  searchAliases: ['regex match', 'regex', 'pattern match', 'text contains', 'string match'],
  inputs: { ...subject, ...flags },
  outputs: [output('BOOLEAN', { name: 'matches' })],
  run(inputs, { checkpoint }) {
    const pattern = compileOrNothing(inputs);
    if (!pattern) return [false];
    return [findMatches(pattern, inputs.string, { checkpoint }).next().done !== true];
  },
});

export const regexExtract = defineNode({
  type: 'RegexExtract',
  title: 'Extract Text',
  category: 'text',
  description: 'Takes what a regular expression finds out of a text, one find a line.',
  searchAliases: ['regex extract', 'regex', 'pattern extract', 'text parser', 'parse text'],
  inputs: {
    ...subject,
    mode: combo(['First Match', 'All Matches', 'First Group', 'All Groups']),
    ...flags,
    group_index: int({ default: 1, min: 0, max: 100, advanced: true }),
  },
  outputs: [output('STRING')],
  run(inputs, { checkpoint }) {
    const { string: text, mode, group_index } = inputs;
    const pattern = compileOrNothing(inputs);
    if (!pattern) return [''];
    const matches = findMatches(pattern, text, { checkpoint });
    const group = (match: Match | undefined): string | undefined =>
      group_index > pattern.groups ? undefined : match?.group(group_index);
    switch (mode) {
      case 'First Match':
        return [matches.next().value?.group(0) ?? ''];
      case 'All Matches':
        return [joinLines(matches, (match) => match.group(pattern.groups > 0 ? 1 : 0) ?? '')];
      case 'First Group':
        return [group(matches.next().value) ?? ''];
      case 'All Groups':
        return [pattern.groups > 0 ? joinLines(matches, group) : ''];
    }
  },
});

function joinLines(matches: Iterable<Match>, textOf: (match: Match) => string | undefined): string {
  const lines = createTextBuilder();
  let isFirst = true;
  for (const match of matches) {
    const text = textOf(match);
    if (text === undefined) continue;
    if (!isFirst) lines.add('\n');
    lines.add(text);
    isFirst = false;
  }
  return lines.toString();
}

export const regexReplace = defineNode({
  type: 'RegexReplace',
  title: 'Replace Text (Regex)',
  category: 'text',
  description: 'Replaces what a regular expression finds in a text.',
  searchAliases: ['regex replace', 'regex', 'pattern replace', 'substitution'],
  inputs: {
    ...subject,
    replace: string({ multiline: true }),
    case_insensitive: optional(flags.case_insensitive),
    multiline: optional(flags.multiline),
    dotall: optional(
      boolean({
        default: false,
        advanced: true,
        tooltip: 'Lets a dot stand for every character, also for the end of a line.',
      }),
    ),
    count: optional(
      int({
        default: 0,
        min: 0,
        max: 100,
        advanced: true,
        tooltip: 'How many finds to replace, from the first on; 0 replaces all of them.',
      }),
    ),
  },
  outputs: [output('STRING')],
  run(inputs, { checkpoint }) {
    try {
      const pattern = compile(inputs);
      return [substitute(pattern, inputs.replace, inputs.string, { count: inputs.count ?? 0, checkpoint })];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw new NodeError('re.error', `The regular expression or replacement is wrong: ${error.message}`, {
        cause: error,
      });
    }
  },
});
