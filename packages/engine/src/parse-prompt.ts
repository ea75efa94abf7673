import { isObject } from '@atelier/contracts/is-object';
import { NodeError } from './node-error.ts';
import { JsonDecodeError, parseWithForms } from './python/parse-python-json.ts';
import { asFloat } from './python/python-number.ts';

export interface SubmittedPrompt {
  /** Not validated yet: `validatePrompt` does that. */
  readonly prompt: unknown;
  /** The node ids in the order of the text. JavaScript objects put ids that look like numbers first. */
  readonly order: readonly string[];
  /** The prompt with a `PythonFloat` for each float that looks like an integer, such as 5.0. */
  readonly exact?: (() => unknown) | undefined;
}

export interface SubmittedBody extends SubmittedPrompt {
  readonly body: unknown;
}

/** A graph is the whole text, or a member of it. */
const PROMPT_DEPTH = 1;
const MEMBER = { enumerable: true, configurable: true, writable: true };

/** Reads JSON as `JSON.parse` does, but with bigints for integers beyond 2^53. Throws a `SyntaxError`. */
export function parseJson(text: string): unknown {
  return parse(text, toObject);
}

/** The same for JSON of Python, which may have `NaN` and `Infinity`. */
export function parsePlainPythonJson(text: string): unknown {
  return parse(text, toObject, undefined, true);
}

export function parsePrompt(text: string): SubmittedPrompt {
  const { value, keysOf } = parseOrdered(text);
  return { prompt: value, order: keysOf(value), exact: () => parseGraph(text) };
}

/** Reads JSON as `parseJson` does, but with a `PythonFloat` for each float that looks like an integer. */
export function parseGraph(text: string): unknown {
  return parse(text, toObject, asFloat);
}

/** Reads a request that has the graph as a member. */
export function parsePromptBody(text: string, member = 'prompt'): SubmittedBody {
  const exact = () => (parseGraph(text) as Readonly<Record<string, unknown>>)[member];
  const { value, keysOf } = parseOrdered(text);
  const prompt = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return { body: value, prompt, order: keysOf(prompt), exact };
}

function parseOrdered(text: string): {
  readonly value: unknown;
  keysOf(value: unknown): readonly string[];
} {
  const orders = new Map<unknown, readonly string[]>();
  const value = parse(text, (keys, values, depth) => {
    const made = toObject(keys, values);
    if (depth <= PROMPT_DEPTH) orders.set(made, [...new Set(keys)]);
    return made;
  });
  return { value, keysOf: (of) => orders.get(of) ?? [] };
}

function toObject(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  keys.forEach((key, index) => {
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(made, key, { ...MEMBER, value: values[index] });
    else made[key] = values[index];
  });
  return made;
}

type Forms = Parameters<typeof parseWithForms>[1];

function parse(
  text: string,
  object: Forms['object'],
  float: Forms['float'] = (value) => value,
  constants = false,
): unknown {
  try {
    return parseWithForms(text, { object, float, constants });
  } catch (error) {
    // It is nested too deeply, or has an integer of thousands of digits.
    if (error instanceof NodeError) throw new JsonDecodeError(error.message, 0);
    throw error;
  }
}

/** The ids of a graph in the order of its submission, as far as that is known. */
export function orderedIds(
  graph: Readonly<Record<string, unknown>>,
  order: readonly string[] = [],
): readonly string[] {
  const ids = Object.keys(graph);
  const known = new Set(order.filter((id) => Object.hasOwn(graph, id)));
  if (known.size === ids.length) return known.size === order.length ? order : [...known];
  return [...known, ...ids.filter((id) => !known.has(id))];
}
