import { addMapped, createTextBuilder, type TextBuilder } from '../bounded-text.ts';
import { NodeError } from '../node-error.ts';
import { floatRepr, isIntegerNumber, PythonFloat } from './python-number.ts';

/** As deep as Python follows values into each other. */
export const MAX_NESTING = 1000;

/** How a value is printed that is an object of its own kind; `undefined` for all that are not. */
export type ObjectRepr = (value: object) => string | undefined;

/** `str(value)` */
export function pythonStr(value: unknown, objectRepr?: ObjectRepr, maxLength?: number): string {
  return typeof value === 'string' ? value : pythonRepr(value, objectRepr, maxLength);
}

/** `repr(value)`; an `OOMError` when it would be longer than `maxLength`. */
export function pythonRepr(
  value: unknown,
  objectRepr: ObjectRepr = () => undefined,
  maxLength: number = Number.POSITIVE_INFINITY,
): string {
  const builder = createTextBuilder(maxLength);
  addRepr(builder, value, objectRepr, 0);
  return builder.toString();
}

function addRepr(builder: TextBuilder, value: unknown, objectRepr: ObjectRepr, depth: number): void {
  if (depth > MAX_NESTING) {
    throw new NodeError('RecursionError', `The value is nested more than ${MAX_NESTING} levels deep.`);
  }
  const plain = plainRepr(value);
  if (plain !== undefined) builder.add(plain);
  else if (typeof value === 'string') addStringRepr(builder, value);
  else if (Array.isArray(value)) {
    builder.add('[');
    for (const [index, item] of value.entries()) {
      if (index > 0) builder.add(', ');
      addRepr(builder, item, objectRepr, depth + 1);
    }
    builder.add(']');
  } else addObjectRepr(builder, Object(value) as object, objectRepr, depth);
}

function plainRepr(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value instanceof PythonFloat) return floatRepr(value.value);
  if (typeof value === 'number') return isIntegerNumber(value) ? String(value) : floatRepr(value);
  return typeof value === 'bigint' ? String(value) : undefined;
}

function addObjectRepr(builder: TextBuilder, value: object, objectRepr: ObjectRepr, depth: number): void {
  const own = objectRepr(value);
  if (own !== undefined) {
    builder.add(own);
    return;
  }
  const entries = dictEntries(value);
  if (!entries) {
    builder.add(`<${value.constructor?.name || 'object'} object>`);
    return;
  }
  builder.add('{');
  for (const [index, [key, item]] of entries.entries()) {
    if (index > 0) builder.add(', ');
    addStringRepr(builder, key);
    builder.add(': ');
    addRepr(builder, item, objectRepr, depth + 1);
  }
  builder.add('}');
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
function addStringRepr(builder: TextBuilder, text: string): void {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // What cannot be printed is every separator but the space, and all that is not a character.
  const escaped = (slice: string): string =>
    slice.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (letter) => {
      if (letter === '"' || letter === "'") return letter === quote ? `\\${letter}` : letter;
      return NAMED_ESCAPES[letter] ?? hexEscape(letter.codePointAt(0) ?? 0);
    });
  builder.add(quote);
  addMapped(builder, text, escaped);
  builder.add(quote);
}

/** `\xNN`, `\uNNNN` or `\UNNNNNNNN`. */
function hexEscape(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `ascii(value)`: its repr with everything beyond ASCII escaped. */
export function pythonAscii(value: unknown, objectRepr?: ObjectRepr, maxLength?: number): string {
  const builder = createTextBuilder(maxLength ?? Number.POSITIVE_INFINITY);
  addMapped(builder, pythonRepr(value, objectRepr, maxLength), (slice) =>
    slice.replace(/[^\0-\x7f]/gu, (letter) => hexEscape(letter.codePointAt(0) ?? 0)),
  );
  return builder.toString();
}
