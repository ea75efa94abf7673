import { addMapped, createTextBuilder, type TextBuilder } from '../bounded-text.ts';
import { NodeError } from '../node-error.ts';
import { floatRepr, isIntegerNumber, PythonFloat } from './python-number.ts';

/** Python's own recursion limit. */
export const MAX_NESTING = 1000;

/** Prints an object that only its pack knows, such as a picture; `undefined` for any other. */
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

/** `type(value).__name__` */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (value instanceof PythonFloat) return 'float';
  if (typeof value === 'number') return isIntegerNumber(value) ? 'int' : 'float';
  const names: Readonly<Record<string, string>> = { string: 'str', boolean: 'bool', bigint: 'int' };
  return names[typeof value] ?? 'dict';
}

/** The entries of an object that is a dict in Python; `undefined` for other objects. */
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

/** Quotes as Python does: with apostrophes, unless only they would need escapes. */
function addStringRepr(builder: TextBuilder, text: string): void {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // Not printable: every separator but the space, and everything that is no character.
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
