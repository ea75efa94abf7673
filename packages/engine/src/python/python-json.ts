import { addMapped, createTextBuilder } from '../bounded-text.ts';
import { NodeError } from '../node-error.ts';
import { floatRepr, isIntegerNumber, PythonFloat } from './python-number.ts';
import { dictEntries, MAX_NESTING } from './python-repr.ts';

export interface PythonJsonOptions {
  /** Spaces for each level; without it all is on one line, as `{"a": [1, 2]}`. */
  readonly indent?: number;
  /** Whether what is not ASCII is written as `\uXXXX`; so it is unless told otherwise. */
  readonly ascii?: boolean;
  /** Beyond it the answer is an `OOMError`. */
  readonly maxLength?: number;
}

/**
 * `json.dumps(value)`, to the byte. Two things cannot be seen in values that were parsed as JavaScript does it, and so
 * are not written as they came: 1.0 is 1, and the keys of an object that look like numbers come first. Values read by
 * `parsePythonJson` keep both.
 */
export function pythonJson(
  value: unknown,
  { indent, ascii = true, maxLength = Number.POSITIVE_INFINITY }: PythonJsonOptions = {},
): string {
  const builder = createTextBuilder(maxLength);
  const special = ascii ? /["\\]|[^ -~]/g : /["\\]|[^ -\uffff]/g;
  const escaped = (text: string) => text.replace(special, escapeUnit);

  function write(item: unknown, depth: number): void {
    if (depth > MAX_NESTING)
      throw new NodeError('RecursionError', `JSON nested over ${MAX_NESTING} levels deep.`);
    const plain = plainJson(item);
    if (plain !== undefined) builder.add(plain);
    else if (typeof item === 'string') writeString(item);
    else if (Array.isArray(item)) {
      builder.add('[');
      for (const [index, member] of item.entries()) {
        startMember(index, depth);
        write(member, depth + 1);
      }
      close(']', item.length, depth);
    } else writeObject(Object(item) as object, depth);
  }

  function writeObject(item: object, depth: number): void {
    const entries = dictEntries(item);
    if (!entries) {
      throw new NodeError('TypeError', `Object of type ${item.constructor.name} is not JSON serializable`);
    }
    builder.add('{');
    for (const [index, [key, member]] of entries.entries()) {
      startMember(index, depth);
      writeString(key);
      builder.add(': ');
      write(member, depth + 1);
    }
    close('}', entries.length, depth);
  }

  function writeString(text: string): void {
    builder.add('"');
    addMapped(builder, text, escaped);
    builder.add('"');
  }

  function startMember(index: number, depth: number): void {
    if (indent === undefined) builder.add(index > 0 ? ', ' : '');
    else builder.add(`${index > 0 ? ',' : ''}\n${' '.repeat(indent * (depth + 1))}`);
  }

  function close(bracket: string, members: number, depth: number): void {
    if (indent !== undefined && members > 0) builder.add(`\n${' '.repeat(indent * depth)}`);
    builder.add(bracket);
  }

  write(value, 0);
  return builder.toString();
}

function plainJson(item: unknown): string | undefined {
  if (item === null || item === undefined) return 'null';
  if (item instanceof PythonFloat) return jsonFloat(item.value);
  if (typeof item === 'number') return isIntegerNumber(item) ? String(item) : jsonFloat(item);
  return typeof item === 'boolean' || typeof item === 'bigint' ? String(item) : undefined;
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
