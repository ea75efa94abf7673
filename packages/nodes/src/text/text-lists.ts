import { defineNode, int, listOutput, output, string } from '@atelier/engine';
import { joinTexts, replaceText, sliceText, strip, upperCase } from '../values/python-text.ts';

/** Nodes for the texts of a data set, called for each text. All but one are deprecated in favor of equal nodes. */

const texts = string({ multiline: false, tooltip: 'The text to change.' });
const outputs = [output('STRING', { name: 'texts', tooltip: 'The changed text.' })] as const;
const common = { category: 'text', experimental: true, outputs } as const;

export const textToLowercase = defineNode({
  ...common,
  type: 'TextToLowercase',
  title: 'Convert Text to Lowercase (DEPRECATED)',
  description: 'Changes a text to small letters.',
  searchAliases: ['lowercase'],
  deprecated: true,
  inputs: { texts },
  run: ({ texts: text }) => [text.toLowerCase()],
});

export const textToUppercase = defineNode({
  ...common,
  type: 'TextToUppercase',
  title: 'Convert Text to Uppercase (DEPRECATED)',
  description: 'Changes a text to capitals.',
  searchAliases: ['uppercase'],
  deprecated: true,
  inputs: { texts },
  run: ({ texts: text }) => [upperCase(text)],
});

export const truncateText = defineNode({
  ...common,
  type: 'TruncateText',
  title: 'Truncate Text',
  description: 'Cuts a text off after so many characters.',
  searchAliases: ['truncate', 'cut', 'shorten'],
  inputs: { texts, max_length: int({ default: 77, min: 1, max: 10000, tooltip: 'Characters to keep.' }) },
  run: ({ texts: text, max_length }) => [sliceText(text, 0, max_length)],
});

export const addTextPrefix = defineNode({
  ...common,
  type: 'AddTextPrefix',
  title: 'Add Text Prefix (DEPRECATED)',
  description: 'Puts a text before each text.',
  deprecated: true,
  inputs: { texts, prefix: string({ default: '', multiline: false, tooltip: 'What to put before.' }) },
  run: ({ texts: text, prefix }) => [joinTexts(prefix, text)],
});

export const addTextSuffix = defineNode({
  ...common,
  type: 'AddTextSuffix',
  title: 'Add Text Suffix (DEPRECATED)',
  description: 'Puts a text after each text.',
  deprecated: true,
  inputs: { texts, suffix: string({ default: '', multiline: false, tooltip: 'What to put after.' }) },
  run: ({ texts: text, suffix }) => [joinTexts(text, suffix)],
});

export const replaceTextNode = defineNode({
  ...common,
  type: 'ReplaceText',
  title: 'Replace Text (DEPRECATED)',
  description: 'Replaces a text in each text.',
  deprecated: true,
  inputs: {
    texts,
    find: string({ default: '', multiline: false, tooltip: 'What to find.' }),
    replace: string({ default: '', multiline: false, tooltip: 'What to put in its place.' }),
  },
  run: ({ texts: text, find, replace }) => [replaceText(text, find, replace)],
});

export const stripWhitespace = defineNode({
  ...common,
  type: 'StripWhitespace',
  title: 'Strip Whitespace (DEPRECATED)',
  description: 'Removes white space around each text.',
  deprecated: true,
  inputs: { texts },
  run: ({ texts: text }) => [strip(text)],
});

export const mergeTextLists = defineNode({
  type: 'MergeTextLists',
  title: 'Merge Text Lists (DEPRECATED)',
  category: 'text',
  description: 'Makes one list of several.',
  experimental: true,
  deprecated: true,
  inputIsList: true,
  inputs: { texts: string({ multiline: false, tooltip: 'The lists of texts.' }) },
  outputs: [listOutput('STRING', { name: 'texts', tooltip: 'All texts.' })],
  run: ({ texts: all }) => [all],
});
