import type { ExecutionErrorData } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { isDeviceError } from '@atelier/engine';
import type { Outcome } from '@atelier/engine/runner';

import { type Fields, fieldsOf, listOf, numberOf, textOf, textOrNull, textsOf } from './read-fields.ts';

type Output = Outcome['outputs'][string];

/** How a prompt ended, as the history of ComfyUI has it. */
export interface HistoryEntry {
  readonly outputs: ReadonlyMap<string, Output>;
  readonly meta: Outcome['meta'];
  readonly startedAt: number | undefined;
  readonly cached: { readonly nodes: readonly string[]; readonly timestamp: number } | undefined;
  readonly end: {
    readonly status: Outcome['status'];
    readonly data: Fields;
    readonly timestamp: number;
  };
}

/** Reads the answer to `/history/{id}`; `undefined` while the prompt has not ended. */
export function readHistory(answer: unknown, promptId: string): HistoryEntry | undefined {
  const { [promptId]: entry } = fieldsOf(answer);
  if (!isObject(entry)) return undefined;
  const status = fieldsOf(entry['status']);
  const messages = new Map(
    listOf(status['messages'])
      .map(listOf)
      .map(([type, data]) => [String(type), fieldsOf(data)] as const),
  );
  const cached = messages.get('execution_cached');
  const start = messages.get('execution_start');
  const outputs = Object.entries(fieldsOf(entry['outputs']));
  return {
    outputs: new Map(outputs.map(([id, output]) => [id, toOutput(output)])),
    meta: readMeta(entry['meta']),
    startedAt: start && timeOf(start),
    cached: cached && { nodes: textsOf(cached['nodes']), timestamp: timeOf(cached) },
    end: readEnd(messages, status['status_str']),
  };
}

/** An interrupted prompt also has the status `error`; only its last message differs. */
function readEnd(messages: ReadonlyMap<string, Fields>, status: unknown): HistoryEntry['end'] {
  const kinds = [
    ['execution_interrupted', 'interrupted'],
    ['execution_error', 'error'],
    ['execution_success', 'success'],
  ] as const;
  for (const [type, kind] of kinds) {
    const data = messages.get(type);
    if (data) return { status: kind, data, timestamp: timeOf(data) };
  }
  return { status: status === 'success' ? 'success' : 'error', data: {}, timestamp: Date.now() };
}

function readMeta(given: unknown): Outcome['meta'] {
  const entries = Object.entries(fieldsOf(given)).map(([id, meta]) => {
    const { node_id, display_node, parent_node, real_node_id } = fieldsOf(meta);
    const node = {
      node_id: textOf(node_id, id),
      display_node: textOf(display_node, id),
      parent_node: textOrNull(parent_node),
      real_node_id: textOf(real_node_id, id),
    };
    return [id, node] as const;
  });
  return Object.fromEntries(entries);
}

/** What a node shows: lists by name. */
export function toOutput(given: unknown): Output {
  return Object.fromEntries(
    Object.entries(fieldsOf(given)).map(([name, items]) => [name, Array.isArray(items) ? items : [items]]),
  );
}

const MAX_TEXT = 4000;
const MAX_LINES = 100;
const MAX_INPUTS_TEXT = 32_768;

/** What is kept of a failure. `clean` removes what only the worker knows, such as the names of staged files. */
export function readFailure(
  given: Fields,
  { jobId, clean }: { readonly jobId: string; readonly clean: (text: string) => string },
): ExecutionErrorData {
  const cut = (text: string): string => clean(text).slice(0, MAX_TEXT);
  const message = cut(textOf(given['exception_message'], 'ComfyUI says no more about it.'));
  return {
    prompt_id: jobId,
    node_id: textOf(given['node_id']),
    node_type: textOf(given['node_type']),
    executed: textsOf(given['executed']),
    exception_message: message,
    exception_type: nameOfFailure(textOf(given['exception_type'], 'Exception'), message),
    traceback: textsOf(given['traceback']).slice(0, MAX_LINES).map(cut),
    current_inputs: readInputs(given['current_inputs'], clean),
    current_outputs: textsOf(given['current_outputs']),
  };
}

/** Errors of PyTorch. Those of nodes have other types or other beginnings, because they may quote what a user wrote. */
const TORCH_ERROR = /^(?:RuntimeError|torch\..+)$/;
const OUT_OF_MEMORY = /^\s*(?:CUDA|HIP|XPU|MPS backend)(?: error:)? out of memory/i;

/** The server recognizes this name, and gives a job that ran out of memory to a worker with more of it. */
function nameOfFailure(type: string, message: string): string {
  const isFull = /OutOfMemory/i.test(type) || (TORCH_ERROR.test(type) && OUT_OF_MEMORY.test(message));
  return isFull ? 'OOMError' : type;
}

/** After such a failure every later prompt fails too, until ComfyUI is restarted. */
export function isDeviceFailure({
  exception_message: message,
  exception_type: type,
}: ExecutionErrorData): boolean {
  return TORCH_ERROR.test(type) && isDeviceError(message);
}

function readInputs(given: unknown, clean: (text: string) => string): ExecutionErrorData['current_inputs'] {
  const inputs = Object.entries(toOutput(given));
  let left = MAX_INPUTS_TEXT;
  return Object.fromEntries(
    inputs
      .filter(([name, values]) => {
        left -= name.length + JSON.stringify(values, bigintAsText).length;
        return left > 0;
      })
      .map(([name, values]) => [
        name,
        values.map((value) => (typeof value === 'string' ? clean(value) : value)),
      ]),
  );
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function timeOf({ timestamp }: Fields): number {
  return numberOf(timestamp, Date.now());
}
