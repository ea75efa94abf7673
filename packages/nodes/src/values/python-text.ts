import { NodeError } from '@atelier/engine';
import { floatRepr, isIntegerNumber, PythonFloat, WHITE_SPACE } from './python-number.ts';
import { latentTensor, tensorOf, tensorText } from './tensor-text.ts';

/** Longer texts than this are refused: a few short inputs can ask for more than any memory holds. */
export const MAX_TEXT = 100_000_000;
/** As deep as Python follows values into each other. */
export const MAX_DEPTH = 1000;

const LEFT_SPACE = new RegExp(`^[${WHITE_SPACE}]+`);
const SPACE = new RegExp(`[${WHITE_SPACE}]`);

/** `str(value)` */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** `repr(value)` */
export function pythonRepr(value: unknown): string {
  return reprOf(value, 0);
}

function reprOf(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new NodeError('RecursionError', `The value is nested more than ${MAX_DEPTH} levels deep.`);
  }
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'string') return stringRepr(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return isIntegerNumber(value) ? String(BigInt(value)) : floatRepr(value);
  if (value instanceof PythonFloat) return floatRepr(value.value);
  if (Array.isArray(value)) return `[${value.map((item) => reprOf(item, depth + 1)).join(', ')}]`;
  const tensor = tensorOf(value);
  if (tensor) return tensorText(tensor);
  const latent = latentTensor(value);
  if (latent) return `{'samples': ${tensorText(latent)}}`;
  const entries = dictEntries(value);
  if (!entries) return `<${value.constructor?.name || 'object'} object>`;
  const items = entries.map(([key, item]) => `${stringRepr(key)}: ${reprOf(item, depth + 1)}`);
  return `{${items.join(', ')}}`;
}

/** The entries of what Python has a dict for; `undefined` for other objects. */
export function dictEntries(value: unknown): readonly (readonly [key: string, value: unknown])[] | undefined {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item] as const);
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};

/** Quoted as Python quotes: by apostrophes, unless that would need escapes and quotation marks would not. */
function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // What cannot be printed is every separator but the space, and all that is no character.
  const body = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (letter) => {
    if (letter === '"' || letter === "'") return letter === quote ? `\\${letter}` : letter;
    return NAMED_ESCAPES[letter] ?? hexEscape(letter.codePointAt(0) ?? 0);
  });
  return quote + body + quote;
}

/** `\xNN`, `\uNNNN` or `\UNNNNNNNN`. */
function hexEscape(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `ascii(value)`: its repr with everything beyond ASCII escaped. */
export function pythonAscii(value: unknown): string {
  return pythonRepr(value).replace(/[^\0-\x7f]/gu, (letter) => hexEscape(letter.codePointAt(0) ?? 0));
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

/** `text[start:end]`, counted in code points, from the end where negative. */
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

/** Where the text is that many code points after an offset. */
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
  // A pattern that is anchored at the end would be tried at every space of the text.
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `str.strip` */
export function strip(text: string): string {
  return stripRight(stripLeft(text));
}

/** `text.replace(find, replacement)`; an empty `find` is found around every code point. */
export function replaceText(text: string, find: string, replacement: string): string {
  const parts = find === '' ? ['', ...Array.from(text), ''] : text.split(find);
  const length = parts.reduce((sum, part) => sum + part.length, (parts.length - 1) * replacement.length);
  if (length > MAX_TEXT) throw tooLong();
  return parts.join(replacement);
}

export function tooLong(): NodeError {
  return new NodeError('MemoryError', `The text would be longer than ${MAX_TEXT} characters.`);
}
