import {
  defineNode,
  int,
  JsonDecodeError,
  link,
  MAX_TEXT_LENGTH,
  output,
  parsePythonJson,
  pythonJson,
  string,
} from '@atelier/engine';
import { pythonStr } from '../values/python-text.ts';

export const jsonExtractString = defineNode({
  type: 'JsonExtractString',
  title: 'Extract Text from JSON',
  category: 'text',
  description: 'Takes the value of a key of a JSON object as text; empty when there is none.',
  searchAliases: ['json', 'extract json', 'parse json', 'json value', 'read json'],
  inputs: { json_string: string({ multiline: true }), key: string({ multiline: false }) },
  outputs: [output('STRING')],
  run({ json_string, key }) {
    const value = valueAt(json_string, key);
    return [value === null || value === undefined ? '' : pythonStr(value)];
  },
});

function valueAt(text: string, key: string): unknown {
  try {
    const document = parsePythonJson(text);
    return document instanceof Map ? document.get(key) : undefined;
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

const indent = int({
  default: 2,
  min: 0,
  max: 8,
  tooltip: 'Spaces for each level; 0 writes all on one line.',
});

function toJson(value: unknown, spaces: number): string {
  const layout = { ascii: false, maxLength: MAX_TEXT_LENGTH };
  return pythonJson(value, spaces > 0 ? { indent: spaces, ...layout } : layout);
}

export const convertDictionaryToString = defineNode({
  type: 'ConvertDictionaryToString',
  title: 'Convert Dictionary to String',
  category: 'text',
  description: 'Writes a dictionary as JSON.',
  searchAliases: ['json', 'dict to json', 'stringify', 'serialize', 'dict to string'],
  inputs: { dictionary: link('DICT'), indent },
  outputs: [output('STRING')],
  run: ({ dictionary, indent: spaces }) => [toJson(dictionary, spaces)],
});

export const convertArrayToString = defineNode({
  type: 'ConvertArrayToString',
  title: 'Convert Array to String',
  category: 'text',
  description: 'Writes a list as JSON.',
  searchAliases: ['json', 'list to json', 'stringify', 'serialize', 'list to string', 'array to json'],
  inputs: { array: link('ARRAY'), indent },
  outputs: [output('STRING')],
  run: ({ array, indent: spaces }) => [toJson(array, spaces)],
});
