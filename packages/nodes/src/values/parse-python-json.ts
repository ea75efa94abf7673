import { NodeError } from '@atelier/engine';
import { asFloat, asInteger, parseInteger } from './python-number.ts';
import { MAX_DEPTH } from './python-text.ts';

/** The text is no JSON. */
export class JsonDecodeError extends Error {
  constructor(message: string, position: number) {
    super(`${message}: char ${position}`);
    this.name = 'JSONDecodeError';
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORD = /null|true|false|NaN|-?Infinity/y;
/** All but quotes, backslashes and control characters. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  false: false,
  NaN: Number.NaN,
  Infinity,
  '-Infinity': -Infinity,
};
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * `json.loads(text)`: objects are maps in the order of the text, integers are exact however long, a float that looks
 * like an integer is a `PythonFloat`, and `NaN` and `Infinity` are numbers.
 */
export function parsePythonJson(text: string): unknown {
  let position = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  }

  /** Steps over white space and says what comes. */
  function next(): string {
    take(SPACE);
    return text.charAt(position);
  }

  function value(depth: number): unknown {
    if (depth > MAX_DEPTH)
      throw new NodeError('RecursionError', `JSON nested over ${MAX_DEPTH} levels deep.`);
    const start = position;
    switch (text.charAt(position)) {
      case '"':
        position += 1;
        return string();
      case '{':
        position += 1;
        return object(depth);
      case '[':
        position += 1;
        return array(depth);
      default: {
        const word = take(WORD)?.[0];
        if (word !== undefined) return WORDS[word];
        const number = take(NUMBER);
        if (number) return toNumber(number);
        throw new JsonDecodeError('Expecting value', start);
      }
    }
  }

  function toNumber([digits, fraction, exponent]: RegExpExecArray): unknown {
    if (fraction !== undefined || exponent !== undefined) return asFloat(Number(digits));
    return asInteger(parseInteger(digits) ?? 0n);
  }

  function string(): string {
    const start = position - 1;
    const parts: string[] = [];
    for (;;) {
      parts.push(take(PLAIN)?.[0] ?? '');
      const ending = text.charAt(position);
      if (ending === '"') {
        position += 1;
        return parts.join('');
      }
      if (ending === '') throw new JsonDecodeError('Unterminated string starting at', start);
      const escape = take(ESCAPE);
      if (!escape) throw new JsonDecodeError('Invalid control character or escape at', position);
      const [, short, hex] = escape;
      // Halves of a pair meet by themselves in a string of 16-bit units.
      parts.push(
        hex === undefined ? (ESCAPES[short ?? ''] ?? short ?? '') : String.fromCharCode(parseInt(hex, 16)),
      );
    }
  }

  function object(depth: number): ReadonlyMap<string, unknown> {
    const entries = new Map<string, unknown>();
    if (next() === '}') {
      position += 1;
      return entries;
    }
    for (;;) {
      if (next() !== '"')
        throw new JsonDecodeError('Expecting property name enclosed in double quotes', position);
      position += 1;
      const key = string();
      if (next() !== ':') throw new JsonDecodeError("Expecting ':' delimiter", position);
      position += 1;
      take(SPACE);
      entries.set(key, value(depth + 1));
      if (closes('}')) return entries;
    }
  }

  function array(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    if (next() === ']') {
      position += 1;
      return items;
    }
    for (;;) {
      take(SPACE);
      items.push(value(depth + 1));
      if (closes(']')) return items;
    }
  }

  function closes(bracket: string): boolean {
    const mark = next();
    if (mark !== bracket && mark !== ',') throw new JsonDecodeError("Expecting ',' delimiter", position);
    position += 1;
    return mark === bracket;
  }

  take(SPACE);
  const result = value(0);
  if (next() !== '') throw new JsonDecodeError('Extra data', position);
  return result;
}
