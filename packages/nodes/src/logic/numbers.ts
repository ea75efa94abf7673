import {
  asInteger,
  combo,
  defineNode,
  float,
  floatRepr,
  int,
  link,
  output,
  parseFloatText,
  parseInteger,
  truncateFloat,
  valueError,
} from '@atelier/engine';
import { roundHalfEven } from '../values/arithmetic.ts';
import { pythonRepr, strip } from '../values/python-text.ts';

export const numberConvert = defineNode({
  type: 'ComfyNumberConvert',
  title: 'Convert Number',
  category: 'utilities',
  description: 'Makes a number of a number, a text or a truth value.',
  searchAliases: [
    'int to float',
    'float to int',
    'number convert',
    'int2float',
    'float2int',
    'cast',
    'parse number',
    'string to number',
    'bool to int',
  ],
  inputs: { value: link('INT,FLOAT,STRING,BOOLEAN', { display_name: 'value' }) },
  outputs: [output('FLOAT', { name: 'FLOAT' }), output('INT', { name: 'INT' })],
  run({ value }) {
    if (typeof value === 'string') return textToNumbers(value);
    const number = Number(value);
    checkFinite(number);
    return [number, asInteger(typeof value === 'bigint' ? value : truncateFloat(number))];
  },
});

function textToNumbers(given: string): readonly [float: number, integer: number | bigint] {
  const text = strip(given);
  if (text === '') throw valueError('Cannot convert empty string to number.');
  const number = parseFloatText(text);
  if (number === undefined) {
    throw valueError(`Cannot convert string to number: ${pythonRepr(given.slice(0, 100))}`);
  }
  checkFinite(number);
  return [number, asInteger(parseInteger(text) ?? truncateFloat(number))];
}

function checkFinite(number: number): void {
  if (Number.isFinite(number)) return;
  throw valueError(`Cannot convert non-finite value to number: ${floatRepr(number)}`);
}

const RATIOS = {
  '1:1 (Square)': [1, 1],
  '2:3 (Portrait Photo)': [2, 3],
  '3:2 (Photo)': [3, 2],
  '3:4 (Portrait Standard)': [3, 4],
  '4:3 (Standard)': [4, 3],
  '9:16 (Portrait Widescreen)': [9, 16],
  '16:9 (Widescreen)': [16, 9],
  '21:9 (Ultrawide)': [21, 9],
} as const;
const MEGAPIXEL = 1024 * 1024;

export const resolutionSelector = defineNode({
  type: 'ResolutionSelector',
  title: 'Resolution Selector',
  category: 'utilities',
  description: 'Finds the width and height of a picture from its shape and its number of pixels.',
  inputs: {
    aspect_ratio: combo(Object.keys(RATIOS) as (keyof typeof RATIOS)[], {
      default: '1:1 (Square)',
      tooltip: 'Width to height.',
    }),
    megapixels: float({
      default: 1,
      min: 0.1,
      max: 16,
      step: 0.1,
      tooltip: 'How many pixels, in millions of 1024 times 1024.',
    }),
    multiple: int({
      default: 8,
      min: 8,
      max: 128,
      step: 4,
      advanced: true,
      tooltip: 'Both sizes are the nearest multiple of this.',
    }),
  },
  outputs: [
    output('INT', { name: 'width', tooltip: 'Width in pixels.' }),
    output('INT', { name: 'height', tooltip: 'Height in pixels.' }),
  ],
  run({ aspect_ratio, megapixels, multiple }) {
    const [width, height] = RATIOS[aspect_ratio];
    const scale = Math.sqrt((megapixels * MEGAPIXEL) / (width * height));
    const size = (ratio: number): number => roundHalfEven((ratio * scale) / multiple) * multiple;
    return [size(width), size(height)];
  },
});
