import type { ExecutionErrorData } from '@atelier/contracts';
import { NodeError } from '../node-error.ts';
import type { InputLists } from './call-node.ts';

const MAX_TEXT = 2000;
const MAX_ITEMS = 20;
const MAX_LINES = 50;
const MAX_DEPTH = 4;
/** For all inputs as JSON. Lists of jobs have this for each failed job. */
const MAX_INPUTS_TEXT = 32_768;

type Described = Pick<
  ExecutionErrorData,
  'exception_message' | 'exception_type' | 'traceback' | 'current_inputs'
>;

/** Describes a failure for the submitter. Nodes may throw anything, and may get anything as input. */
export function describeFailure(cause: unknown, inputs: InputLists): Described {
  const message =
    read(cause, 'message') ?? described(() => String(cause)) ?? 'The node failed without saying why.';
  const stack = read(cause, 'stack') ?? '';
  return {
    // Readers expect the text to end with a line break.
    exception_message: `${cut(message)}\n`,
    exception_type: cut(typeOf(cause, message)),
    traceback: stack
      .slice(0, MAX_TEXT * MAX_LINES)
      .split('\n')
      .slice(0, MAX_LINES)
      .map((line) => `${cut(line.replaceAll(FOLDERS, '…/'))}\n`),
    current_inputs: describeInputs(inputs),
  };
}

/** A `NodeError` may quote anything, so only errors of the system and of libraries can mean a full disk or a broken device. */
function typeOf(cause: unknown, message: string): string {
  if (cause instanceof NodeError) return cause.exceptionType;
  const isDiskFull = DISK_FULL.test(read(cause, 'code') ?? '') || DISK_FULL.test(message);
  if (isDiskFull) return 'DiskFull';
  const name = read(cause, 'name') ?? 'Error';
  return isDeviceError(message) ? DEVICE_ERROR : name;
}

/** The type of failures of a GPU or its driver, which say more about the machine than about the graph. */
export const DEVICE_ERROR = 'DeviceError';

/** After such a failure all work fails until the process is restarted. Only the start counts, because the rest may quote a user. */
export function isDeviceError(message: string): boolean {
  return /^\s*(?:CUDA error|HIP error|NCCL error|device-side assert)/i.test(message);
}

const DISK_FULL = /^(?:ENOSPC|EDQUOT)$|no space left on device|disk quota exceeded/i;

function describeInputs(inputs: InputLists): Readonly<Record<string, readonly unknown[]>> {
  let left = MAX_INPUTS_TEXT;
  const entries = Object.entries(inputs).flatMap(([name, list]): [string, unknown[]][] => {
    const values = left > 0 ? list.slice(0, MAX_ITEMS).map(describeValue) : [];
    left -= JSON.stringify([name, values]).length;
    return left > 0 ? [[name, values]] : [];
  });
  return Object.fromEntries(entries);
}

/** All but the last three names of a path, so that a trace does not tell where files are on this machine. */
const FOLDERS =
  /(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])(?:[^\s/\\()]+[\\/])*?(?=(?:[^\s/\\()]+[\\/]){2}[^\s/\\()]+:\d+)/g;

/** A member of the error, if it can be read and is a text. */
function read(cause: unknown, name: 'message' | 'stack' | 'name' | 'code'): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  const value = described(() => (cause as Readonly<Record<string, unknown>>)[name]);
  return typeof value === 'string' ? value : undefined;
}

function described<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

function describeValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  return cut(described(() => summary(value, 0)) ?? 'a value that cannot be shown');
}

function summary(value: unknown, depth: number): string {
  if (ArrayBuffer.isView(value)) return `<${value.constructor.name} of ${value.byteLength} bytes>`;
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => summary(item, depth + 1));
    return `[${items.join(', ')}${value.length > MAX_ITEMS ? ', …' : ''}]`;
  }
  const parts = Object.entries(value).slice(0, MAX_ITEMS);
  return `{${parts.map(([name, part]) => `${name}: ${summary(part, depth + 1)}`).join(', ')}}`;
}

export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
