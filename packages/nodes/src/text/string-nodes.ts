import { boolean, combo, defineNode, int, output, string } from '@atelier/engine';
import { capitalize, titleCase } from '../values/python-case.ts';
import {
  joinTexts,
  replaceText,
  sliceText,
  strip,
  stripLeft,
  stripRight,
  textLength,
  upperCase,
} from '../values/python-text.ts';

export const stringConcatenate = defineNode({
  type: 'StringConcatenate',
  title: 'Concatenate Text',
  category: 'text',
  description: 'Joins two texts, with a delimiter between them.',
  searchAliases: [
    'concatenate',
    'text concat',
    'join text',
    'merge text',
    'combine strings',
    'string concat',
    'append text',
    'combine text',
  ],
  inputs: {
    string_a: string({ multiline: true }),
    string_b: string({ multiline: true }),
    delimiter: string({ default: '', multiline: false }),
  },
  outputs: [output('STRING')],
  run: ({ string_a, string_b, delimiter }) => [joinTexts(string_a, delimiter, string_b)],
});

export const stringSubstring = defineNode({
  type: 'StringSubstring',
  title: 'Substring',
  category: 'text',
  description:
    'Takes the part of a text from start up to, but not with, end. Negative numbers count from its end.',
  searchAliases: ['substring', 'extract text', 'text portion'],
  inputs: { string: string({ multiline: true }), start: int(), end: int() },
  outputs: [output('STRING')],
  run: ({ string: text, start, end }) => [sliceText(text, start, end)],
});

export const stringLength = defineNode({
  type: 'StringLength',
  title: 'Text Length',
  category: 'text',
  description: 'Counts the characters of a text.',
  searchAliases: ['character count', 'text size', 'string length'],
  inputs: { string: string({ multiline: true }) },
  outputs: [output('INT', { name: 'length' })],
  run: ({ string: text }) => [textLength(text)],
});

const CASES = {
  UPPERCASE: upperCase,
  lowercase: (text: string) => text.toLowerCase(),
  Capitalize: capitalize,
  'Title Case': titleCase,
};

export const caseConverter = defineNode({
  type: 'CaseConverter',
  title: 'Convert Text Case',
  category: 'text',
  description: 'Changes a text to capitals or small letters.',
  searchAliases: ['case converter', 'text case', 'uppercase', 'lowercase', 'capitalize'],
  inputs: {
    string: string({ multiline: true }),
    mode: combo(['UPPERCASE', 'lowercase', 'Capitalize', 'Title Case']),
  },
  outputs: [output('STRING')],
  run: ({ string: text, mode }) => [CASES[mode](text)],
});

const TRIMS = { Both: strip, Left: stripLeft, Right: stripRight };

export const stringTrim = defineNode({
  type: 'StringTrim',
  title: 'Trim Text',
  category: 'text',
  description: 'Removes white space around a text.',
  searchAliases: ['trim', 'clean whitespace', 'remove whitespace', 'remove spaces', 'strip'],
  inputs: { string: string({ multiline: true }), mode: combo(['Both', 'Left', 'Right']) },
  outputs: [output('STRING')],
  run: ({ string: text, mode }) => [TRIMS[mode](text)],
});

export const stringReplace = defineNode({
  type: 'StringReplace',
  title: 'Replace Text',
  category: 'text',
  description: 'Replaces a text wherever it is found.',
  searchAliases: ['replace', 'find and replace', 'substitute', 'swap text'],
  inputs: {
    string: string({ multiline: true }),
    find: string({ multiline: true }),
    replace: string({ multiline: true }),
  },
  outputs: [output('STRING')],
  run: ({ string: text, find, replace }) => [replaceText(text, find, replace)],
});

export const stringContains = defineNode({
  type: 'StringContains',
  title: 'Contains Text',
  category: 'text',
  description: 'Says whether a text has another in it.',
  searchAliases: ['contains', 'text includes', 'string includes'],
  inputs: {
    string: string({ multiline: true }),
    substring: string({ multiline: true }),
    case_sensitive: boolean({ default: true, advanced: true }),
  },
  outputs: [output('BOOLEAN', { name: 'contains' })],
  run({ string: text, substring, case_sensitive }) {
    return [case_sensitive ? text.includes(substring) : text.toLowerCase().includes(substring.toLowerCase())];
  },
});

export const stringCompare = defineNode({
  type: 'StringCompare',
  title: 'Compare Text',
  category: 'text',
  description: 'Says whether a text starts with, ends with or equals another.',
  searchAliases: ['compare', 'text match', 'string equals', 'starts with', 'ends with'],
  inputs: {
    string_a: string({ multiline: true }),
    string_b: string({ multiline: true }),
    mode: combo(['Starts With', 'Ends With', 'Equal']),
    case_sensitive: boolean({ default: true, advanced: true }),
  },
  outputs: [output('BOOLEAN')],
  run({ string_a, string_b, mode, case_sensitive }) {
    const a = case_sensitive ? string_a : string_a.toLowerCase();
    const b = case_sensitive ? string_b : string_b.toLowerCase();
    if (mode === 'Equal') return [a === b];
    return [mode === 'Starts With' ? a.startsWith(b) : a.endsWith(b)];
  },
});
