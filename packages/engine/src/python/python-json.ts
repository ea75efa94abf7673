import { NodeError } from '../node-error.ts';
import { floatRepr, isIntegerNumber, PythonFloat } from './python-number.ts';
import { dictEntries, MAX_NESTING } from './python-repr.ts';

export interface PythonJsonOptions {
  /** Spaces for each level; without it all is on one line, as `{"a": [1, 2]}`. */
  readonly indent?: number;
  /** Whether what is not ASCII is written as `\uXXXX`; so it is unless told otherwise. */
  readonly ascii?: boolean;
}

/**
 * `json.dumps(value)`, to the byte. Two things cannot be seen in values that were parsed as JavaScript does it, and so
 * are not written as they came: 1.0 is 1, and the keys of an object that look like numbers come first. Values read by
 * `parsePythonJson` keep both.
 */
export function pythonJson(value: unknown, { indent, ascii = true }: PythonJsonOptions = {}): string {
  const quote = ascii ? quoteAscii : quoteUnicode;
  const separator = indent === undefined ? ', ' : ',';

  function write(item: unknown, depth: number): string {
    if (depth > MAX_NESTING)
      throw new NodeError('RecursionError', `JSON nested over ${MAX_NESTING} levels deep.`);
    if (item === null || item === undefined) return 'null';
    if (typeof item === 'string') return quote(item);
    if (typeof item === 'boolean' || typeof item === 'bigint') return String(item);
    if (typeof item === 'number') return isIntegerNumber(item) ? String(item) : jsonFloat(item);
    if (item instanceof PythonFloat) return jsonFloat(item.value);
    if (Array.isArray(item)) {
      return enclose(
        '[',
        item.map((member) => write(member, depth + 1)),
        ']',
        depth,
      );
    }
    const entries = dictEntries(item);
    if (!entries) {
      throw new NodeError('TypeError', `Object of type ${item.constructor.name} is not JSON serializable`);
    }
    const members = entries.map(([key, member]) => `${quote(key)}: ${write(member, depth + 1)}`);
    return enclose('{', members, '}', depth);
  }

  function enclose(open: string, members: readonly string[], close: string, depth: number): string {
    if (members.length === 0) return open + close;
    if (indent === undefined) return open + members.join(separator) + close;
    const line = `\n${' '.repeat(indent * (depth + 1))}`;
    return `${open}${line}${members.join(separator + line)}\n${' '.repeat(indent * depth)}${close}`;
  }

  return write(value, 0);
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return floatRepr(value);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quoteAscii(text: string): string {
  return `"${text.replace(/["\\]|[^ -~]/g, escapeUnit)}"`;
}

function quoteUnicode(text: string): string {
  return `"${text.replace(/["\\]|[^ -\uffff]/g, escapeUnit)}"`;
}
