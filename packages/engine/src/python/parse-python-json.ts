import { createTextBuilder } from '../bounded-text.ts';
import { LimitError, NodeError } from '../node-error.ts';
import { asFloat, asInteger, parseInteger } from './python-number.ts';
import { MAX_NESTING } from './python-repr.ts';

export class JsonDecodeError extends SyntaxError {
  constructor(message: string, position: number) {
    super(`${message}: char ${position}`);
    this.name = 'JSONDecodeError';
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const WORD = /null|true|false|NaN|-?Infinity/y;
const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))/y;
const WORDS: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  false: false,
  NaN: Number.NaN,
  Infinity,
  '-Infinity': -Infinity,
};
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Integers up to this many characters are exact as numbers. */
const SHORT_INTEGER = 15;

/** What becomes of the parts of a text whose form says more than a value of JavaScript can. */
interface Forms {
  /** Keys may come twice; the last value counts. `depth` is 0 for the outermost. */
  object(keys: readonly string[], values: readonly unknown[], depth: number): unknown;
  float(value: number): unknown;
  /** Whether `NaN` and `Infinity` are taken, which are not JSON. */
  readonly constants: boolean;
  /** How many values a document may have; an object without members takes a hundred times its two characters. */
  readonly maxValues?: number;
}

const PYTHON_FORMS: Forms = {
  object: (keys, values) => new Map(keys.map((key, index) => [key, values[index]])),
  float: asFloat,
  constants: true,
  maxValues: 2 ** 20,
};

/**
 * `json.loads(text)`: objects are maps in the order of the text, integers are exact however long, a float that looks
 * like an integer is a `PythonFloat`, and `NaN` and `Infinity` are numbers.
 */
export function parsePythonJson(text: string): unknown {
  return parseWithForms(text, PYTHON_FORMS);
}

/** Reads JSON; integers beyond 2^53 are bigints. */
export function parseWithForms(text: string, forms: Forms): unknown {
  const { maxValues = Number.POSITIVE_INFINITY } = forms;
  let position = 0;
  let count = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  }

  /** Steps over white space and says what comes. */
  function next(): string {
    while (isSpace(text.charCodeAt(position))) position += 1;
    return text.charAt(position);
  }

  function value(depth: number): unknown {
    if (depth > MAX_NESTING)
      throw new NodeError('RecursionError', `JSON nested over ${MAX_NESTING} levels deep.`);
    count += 1;
    if (count > maxValues) throw new LimitError(`The JSON has more than ${maxValues} values.`);
    const mark = next();
    const start = position;
    switch (mark) {
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
        const number = take(NUMBER);
        if (number) return toNumber(number);
        const word = take(WORD)?.[0];
        if (word !== undefined) return toWord(word, start);
        throw new JsonDecodeError('Expecting value', start);
      }
    }
  }

  function toNumber([digits, fraction, exponent]: RegExpExecArray): unknown {
    if (fraction !== undefined || exponent !== undefined) return forms.float(Number(digits));
    // Python has no integer that is minus zero.
    if (digits.length <= SHORT_INTEGER) return Number(digits) + 0;
    return asInteger(parseInteger(digits) ?? 0n);
  }

  function toWord(word: string, start: number): unknown {
    const constant = WORDS[word];
    if (typeof constant === 'number' && !forms.constants) throw new JsonDecodeError('Expecting value', start);
    return constant;
  }

  function string(): string {
    const start = position - 1;
    const plain = readPlain();
    if (text.charAt(position) === '"') {
      position += 1;
      return plain;
    }
    const read = createTextBuilder(text.length);
    read.add(plain);
    for (;;) {
      const ending = text.charAt(position);
      if (ending === '"') {
        position += 1;
        return read.toString();
      }
      if (ending === '') throw new JsonDecodeError('Unterminated string starting at', start);
      const escape = take(ESCAPE);
      if (!escape) throw new JsonDecodeError('Invalid control character or escape at', position);
      const [, short, hex] = escape;
      // Halves of a pair meet by themselves in a string of 16-bit units.
      read.add(
        hex === undefined ? (ESCAPES[short ?? ''] ?? short ?? '') : String.fromCharCode(parseInt(hex, 16)),
      );
      read.add(readPlain());
    }
  }

  function readPlain(): string {
    const from = position;
    while (isPlain(text.charCodeAt(position))) position += 1;
    return text.slice(from, position);
  }

  function object(depth: number): unknown {
    const keys: string[] = [];
    const values: unknown[] = [];
    if (next() === '}') {
      position += 1;
      return forms.object(keys, values, depth);
    }
    for (;;) {
      if (next() !== '"')
        throw new JsonDecodeError('Expecting property name enclosed in double quotes', position);
      position += 1;
      keys.push(string());
      if (next() !== ':') throw new JsonDecodeError("Expecting ':' delimiter", position);
      position += 1;
      values.push(value(depth + 1));
      if (closes('}')) return forms.object(keys, values, depth);
    }
  }

  function array(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    if (next() === ']') {
      position += 1;
      return items;
    }
    for (;;) {
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

  const result = value(0);
  if (next() !== '') throw new JsonDecodeError('Extra data', position);
  return result;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Within a string: all but quotes, backslashes and control characters. Past the end there is no code. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== 0x22 && code !== 0x5c;
}
