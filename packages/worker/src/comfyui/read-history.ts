import type { ExecutionErrorData } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { isDeviceError } from '@atelier/engine';
import type { Outcome } from '@atelier/engine/runner';

type Output = Readonly<Record<string, readonly unknown[]>>;

/** How a prompt ended, as the history of ComfyUI has it. */
export interface HistoryEntry {
  readonly outputs: ReadonlyMap<string, Output>;
  readonly meta: Outcome['meta'];
  readonly startedAt: number | undefined;
  readonly cached: { readonly nodes: readonly string[]; readonly timestamp: number } | undefined;
  readonly end: {
    readonly status: Outcome['status'];
    readonly data: Readonly<Record<string, unknown>>;
    readonly timestamp: number;
  };
}

/** The answer to `/history/{id}`; `undefined` while the prompt has not ended. */
export function readHistory(answer: unknown, promptId: string): HistoryEntry | undefined {
  const entry = isObject(answer) ? answer[promptId] : undefined;
  if (!isObject(entry)) return undefined;
  const status = isObject(entry['status']) ? entry['status'] : {};
  const messages = new Map<string, Readonly<Record<string, unknown>>>();
  for (const message of Array.isArray(status['messages']) ? (status['messages'] as unknown[]) : []) {
    if (Array.isArray(message) && isObject(message[1])) messages.set(String(message[0]), message[1]);
  }
  const cached = messages.get('execution_cached');
  const start = messages.get('execution_start');
  return {
    outputs: new Map(
      Object.entries(isObject(entry['outputs']) ? entry['outputs'] : {}).map(([id, output]) => [
        id,
        toOutput(output),
      ]),
    ),
    meta: readMeta(entry['meta']),
    startedAt: start && timeOf(start),
    cached: cached && { nodes: texts(cached['nodes']), timestamp: timeOf(cached) },
    end: readEnd(messages, status['status_str']),
  };
}

/** An interrupted prompt has the status `error` too: only its last message tells. */
function readEnd(messages: ReadonlyMap<string, Readonly<Record<string, unknown>>>, status: unknown) {
  const kinds = [
    ['execution_interrupted', 'interrupted'],
    ['execution_error', 'error'],
    ['execution_success', 'success'],
  ] as const;
  for (const [type, kind] of kinds) {
    const data = messages.get(type);
    if (data) return { status: kind, data, timestamp: timeOf(data) };
  }
  return { status: status === 'success' ? 'success' : 'error', data: {}, timestamp: Date.now() } as const;
}

function readMeta(given: unknown): Outcome['meta'] {
  return Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).flatMap(([id, meta]) =>
      isObject(meta)
        ? [
            [
              id,
              {
                node_id: textOf(meta['node_id'], id),
                display_node: textOf(meta['display_node'], id),
                parent_node: typeof meta['parent_node'] === 'string' ? meta['parent_node'] : null,
                real_node_id: textOf(meta['real_node_id'], id),
              },
            ] as const,
          ]
        : [],
    ),
  );
}

/** What a node shows: lists by name. */
export function toOutput(given: unknown): Output {
  return Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).map(([name, items]) => [
      name,
      Array.isArray(items) ? (items as unknown[]) : [items],
    ]),
  );
}

const MAX_TEXT = 4000;
const MAX_LINES = 100;
const MAX_INPUTS_TEXT = 32_768;

/** What is kept of a failure. `clean` takes out what only the worker knows, such as the names of staged files. */
export function readFailure(
  given: Readonly<Record<string, unknown>>,
  { jobId, clean }: { readonly jobId: string; readonly clean: (text: string) => string },
): ExecutionErrorData {
  const cut = (text: string): string => clean(text).slice(0, MAX_TEXT);
  const message = cut(textOf(given['exception_message'], 'ComfyUI says no more about it.'));
  return {
    prompt_id: jobId,
    node_id: textOf(given['node_id'], ''),
    node_type: textOf(given['node_type'], ''),
    executed: texts(given['executed']),
    exception_message: message,
    exception_type: nameOfFailure(textOf(given['exception_type'], 'Exception'), message),
    traceback: texts(given['traceback']).slice(0, MAX_LINES).map(cut),
    current_inputs: readInputs(given['current_inputs'], clean),
    current_outputs: texts(given['current_outputs']),
  };
}

/** What PyTorch raises. Errors of nodes have other types, or messages that begin otherwise: they may quote what a user wrote. */
const TORCH_ERROR = /^(?:RuntimeError|torch\..+)$/;
const OUT_OF_MEMORY = /^\s*(?:CUDA|HIP|XPU|MPS backend)(?: error:)? out of memory/i;

/** The server gives a job that ran out of memory to a worker with more of it, and knows that by this name. */
function nameOfFailure(type: string, message: string): string {
  const isFull = /OutOfMemory/i.test(type) || (TORCH_ERROR.test(type) && OUT_OF_MEMORY.test(message));
  return isFull ? 'OOMError' : type;
}

/** After these every later prompt fails too, until ComfyUI is restarted. */
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

export function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function timeOf(data: Readonly<Record<string, unknown>>): number {
  return typeof data['timestamp'] === 'number' ? data['timestamp'] : Date.now();
}
