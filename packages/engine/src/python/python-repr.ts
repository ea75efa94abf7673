import { NodeError } from '../node-error.ts';
import { floatRepr, isIntegerNumber, PythonFloat } from './python-number.ts';

/** As deep as Python follows values into each other. */
export const MAX_NESTING = 1000;

/** How a value is printed that is an object of its own kind; `undefined` for all that are not. */
export type ObjectRepr = (value: object) => string | undefined;

/** `str(value)` */
export function pythonStr(value: unknown, objectRepr?: ObjectRepr): string {
  return typeof value === 'string' ? value : pythonRepr(value, objectRepr);
}

/** `repr(value)` */
export function pythonRepr(value: unknown, objectRepr: ObjectRepr = () => undefined): string {
  return reprOf(value, objectRepr, 0);
}

function reprOf(value: unknown, objectRepr: ObjectRepr, depth: number): string {
  if (depth > MAX_NESTING) {
    throw new NodeError('RecursionError', `The value is nested more than ${MAX_NESTING} levels deep.`);
  }
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'string') return stringRepr(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return isIntegerNumber(value) ? String(value) : floatRepr(value);
  if (value instanceof PythonFloat) return floatRepr(value.value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => reprOf(item, objectRepr, depth + 1)).join(', ')}]`;
  }
  const own = objectRepr(value);
  if (own !== undefined) return own;
  const entries = dictEntries(value);
  if (!entries) return `<${value.constructor?.name || 'object'} object>`;
  const items = entries.map(([key, item]) => `${stringRepr(key)}: ${reprOf(item, objectRepr, depth + 1)}`);
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
export function pythonAscii(value: unknown, objectRepr?: ObjectRepr): string {
  return pythonRepr(value, objectRepr).replace(/[^\0-\x7f]/gu, (letter) =>
    hexEscape(letter.codePointAt(0) ?? 0),
  );
}
