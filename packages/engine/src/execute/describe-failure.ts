import type { ExecutionErrorData } from '@atelier/contracts';
import { NodeError } from '../node-error.ts';
import type { InputLists } from './call-node.ts';

const MAX_TEXT = 2000;
const MAX_ITEMS = 20;

type Described = Pick<
  ExecutionErrorData,
  'exception_message' | 'exception_type' | 'traceback' | 'current_inputs'
>;

/** What the submitter is told of a failure. */
export function describeFailure(cause: unknown, inputs: InputLists): Described {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    // Readers expect the text to end with a line break.
    exception_message: `${cut(error.message)}\n`,
    exception_type: error instanceof NodeError ? error.exceptionType : error.name,
    traceback: (error.stack ?? '').split('\n').map((line) => `${line}\n`),
    current_inputs: Object.fromEntries(
      Object.entries(inputs).map(([name, list]) => [name, list.slice(0, MAX_ITEMS).map(describeValue)]),
    ),
  };
}

function describeValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  return cut(JSON.stringify(value, shorten) ?? typeof value);
}

/** Pictures are told by their size, not by their pixels. */
function shorten(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  return typeof value === 'bigint' ? String(value) : value;
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
