import type { Job } from '@atelier/sdk';

type Advice =
  | 'memory'
  | 'storage'
  | 'disk'
  | 'service'
  | 'time'
  | 'file'
  | 'credits'
  | 'later'
  | 'node'
  | 'workflow';

export interface JobFailure {
  /** The error message of the node or the server. */
  readonly sentence: string;
  readonly type: string;
  /** The failed node; `undefined` if no node is at fault. */
  readonly nodeId: string | undefined;
  readonly nodeType: string;
  readonly traceback: string;
  readonly advice: Advice;
}

const ADVICE: readonly (readonly [RegExp, Advice])[] = [
  [/OutOfMemory|OOMError|MemoryError/, 'memory'],
  [/^StorageFull$/, 'storage'],
  [/^DiskFull$/, 'disk'],
  [/^InsufficientCredits$/, 'credits'],
  [/^TooManyRequests$/, 'later'],
  [/^(?:ServiceError|PanicError|ConnectionError)$/, 'service'],
  [/Timeout/, 'time'],
  [/^(?:FileNotFoundError|UnidentifiedImageError)$/, 'file'],
];

/** Why a job failed; `undefined` if it did not. */
export function failureOf({ status, execution_error: error }: Job): JobFailure | undefined {
  if (status !== 'failed' || !error) return undefined;
  const type = textOf(error['exception_type']);
  const nodeId = textOf(error['node_id']) || undefined;
  const lines = error['traceback'];
  return {
    sentence: textOf(error['exception_message']).trim() || type,
    type,
    nodeId,
    nodeType: textOf(error['node_type']),
    traceback: Array.isArray(lines)
      ? lines
          .map((line) => String(line).trimEnd())
          .join('\n')
          .trim()
      : '',
    advice:
      ADVICE.find(([pattern]) => pattern.test(type))?.[1] ?? (nodeId === undefined ? 'workflow' : 'node'),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
