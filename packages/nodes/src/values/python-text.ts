import {
  addMapped,
  pythonAscii as asciiOf,
  createTextBuilder,
  dictEntries,
  MAX_TEXT_LENGTH,
  NodeError,
  PythonFloat,
  pythonRepr as reprOf,
  pythonStr as strOf,
  WHITE_SPACE,
} from '@atelier/engine';
import { latentTensor, tensorOf, tensorText } from './tensor-text.ts';

const LEFT_SPACE = new RegExp(`^[${WHITE_SPACE}]+`);
const SPACE = new RegExp(`[${WHITE_SPACE}]`);

/** `str(value)` */
export function pythonStr(value: unknown): string {
  return strOf(value, tensorRepr, MAX_TEXT_LENGTH);
}

/** `repr(value)` */
export function pythonRepr(value: unknown): string {
  return reprOf(value, tensorRepr, MAX_TEXT_LENGTH);
}

/** `ascii(value)` */
export function pythonAscii(value: unknown): string {
  return asciiOf(value, tensorRepr, MAX_TEXT_LENGTH);
}

function tensorRepr(value: object): string | undefined {
  const tensor = tensorOf(value);
  if (tensor) return tensorText(tensor);
  const latent = latentTensor(value);
  return latent && `{'samples': ${tensorText(latent)}}`;
}

/** `bool(value)` */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  if (value instanceof PythonFloat) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  const tensor = tensorOf(value);
  if (tensor) {
    if (tensor.data.length <= 1) return tensor.data.length === 1 && tensor.data[0] !== 0;
    throw new NodeError(
      'RuntimeError',
      'A picture or mask is neither true nor false: it has more than one value.',
    );
  }
  const entries = dictEntries(value);
  return entries === undefined || entries.length > 0;
}

/** `len(text)`: code points. */
export function textLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isPair(text, index)) {
      length -= 1;
      index += 1;
    }
  }
  return length;
}

/** `text[start:end]` in code points; negative numbers count from the end. */
export function sliceText(text: string, start: number | undefined, end?: number): string {
  const length = textLength(text);
  const first = sliceIndex(start ?? 0, length);
  const last = sliceIndex(end ?? length, length);
  if (first >= last) return '';
  const from = unitOffset(text, first, 0);
  return text.slice(from, unitOffset(text, last - first, from));
}

function sliceIndex(index: number, length: number): number {
  const whole = Math.trunc(index);
  return whole < 0 ? Math.max(whole + length, 0) : Math.min(whole, length);
}

/** The offset that is `count` code points after another. */
function unitOffset(text: string, count: number, from: number): number {
  let offset = from;
  for (let passed = 0; passed < count; passed += 1) offset += isPair(text, offset) ? 2 : 1;
  return offset;
}

function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** `str.lstrip` */
export function stripLeft(text: string): string {
  return text.replace(LEFT_SPACE, '');
}

/** `str.rstrip` */
export function stripRight(text: string): string {
  let end = text.length;
  // A pattern anchored at the end would be tried at every space of the text.
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `str.strip` */
export function strip(text: string): string {
  return stripRight(stripLeft(text));
}

/** `text.replace(find, replacement)`; an empty `find` is found around every code point. */
export function replaceText(text: string, find: string, replacement: string): string {
  const result = createTextBuilder();
  if (find === '') {
    for (const letter of text) {
      result.add(replacement);
      result.add(letter);
    }
    result.add(replacement);
    return result.toString();
  }
  let done = 0;
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, done)) {
    result.add(text.slice(done, at));
    result.add(replacement);
    done = at + find.length;
  }
  result.add(text.slice(done));
  return result.toString();
}

/** Joins texts within the length limit. */
export function joinTexts(...texts: readonly string[]): string {
  const result = createTextBuilder();
  for (const text of texts) result.add(text);
  return result.toString();
}

/** `str.upper`; a letter may become three. */
export function upperCase(text: string): string {
  const result = createTextBuilder();
  addMapped(result, text, (slice) => slice.toUpperCase());
  return result.toString();
}
