import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import type { ExecutionErrorData, NodeProblems } from './wire.ts';

/** Failures outside the server, in addition to the codes of its catalog. */
export type ClientErrorCode =
  | 'client.connection'
  | 'client.timeout'
  | 'client.answer'
  | 'client.usage'
  | 'client.file'
  | 'client.workflow'
  | 'client.webhook'
  | 'client.sign_in'
  | 'job.failed'
  | 'job.cancelled'
  | 'task.failed';

export interface AtelierErrorOptions {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly string[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** Every failure of this package. An aborted signal throws its own reason instead. */
export class AtelierError extends Error {
  override readonly name: string = 'AtelierError';
  /** Stable, for programs. docs/errors.md lists those of the server. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** One sentence per problem. */
  readonly details: readonly string[];
  /** How long the server asks the client to wait. */
  readonly retryAfterMs: number | undefined;
  /** The same call may succeed later without being changed. */
  readonly isRetryable: boolean;

  constructor(code: ErrorCode | ClientErrorCode, message: string, options: AtelierErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.requestId = options.requestId;
    this.details = options.details ?? [];
    this.retryAfterMs = options.retryAfterMs;
    this.isRetryable =
      options.isRetryable ?? (code in ERROR_CODES && ERROR_CODES[code as ErrorCode].retryable);
  }
}

/** There was no response: the server is down, its name is wrong, or the connection broke. */
export class ConnectionError extends AtelierError {
  override readonly name = 'ConnectionError';

  constructor(message: string, cause?: unknown) {
    super('client.connection', message, { cause, isRetryable: true });
  }
}

export class TimeoutError extends AtelierError {
  override readonly name = 'TimeoutError';

  constructor(ms: number) {
    super('client.timeout', `There was no answer within ${ms / 1000} seconds.`, { isRetryable: true });
  }
}

/** The server has rejected the workflow: it cannot run in this form. */
export class WorkflowRefusedError extends AtelierError {
  override readonly name = 'WorkflowRefusedError';
  /** In the words of ComfyUI, such as `prompt_outputs_failed_validation`. */
  readonly type: string;
  /** What is wrong with each node, by its id. */
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;

  constructor(
    message: string,
    {
      type,
      nodeErrors,
      ...options
    }: AtelierErrorOptions & {
      readonly type: string;
      readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
    },
  ) {
    super('request.invalid', message, options);
    this.type = type;
    this.nodeErrors = nodeErrors;
  }
}

/** A workflow cannot be read, or has no such node or input. */
export class WorkflowInputError extends AtelierError {
  override readonly name = 'WorkflowInputError';
  /** Similar names, the closest first. */
  readonly suggestions: readonly string[];

  constructor(message: string, suggestions: readonly string[] = []) {
    super('client.workflow', message);
    this.suggestions = suggestions;
  }
}

/** A node of the job has failed. */
export class JobFailedError extends AtelierError {
  override readonly name = 'JobFailedError';
  readonly jobId: string;
  readonly nodeId: string | undefined;
  readonly nodeType: string | undefined;
  /** Such as `ValueError`. */
  readonly exceptionType: string | undefined;
  readonly traceback: readonly string[];

  constructor(jobId: string, data: Partial<ExecutionErrorData>) {
    const text = data.exception_message?.trim() || 'The job has failed.';
    const node = data.node_id ? ` in node ${data.node_id} (${data.node_type})` : '';
    super('job.failed', `${data.exception_type ?? 'Error'}${node}: ${text}`);
    this.jobId = jobId;
    this.nodeId = data.node_id;
    this.nodeType = data.node_type;
    this.exceptionType = data.exception_type;
    this.traceback = data.traceback ?? [];
  }
}

export class JobCancelledError extends AtelierError {
  override readonly name = 'JobCancelledError';
  readonly jobId: string;

  constructor(jobId: string) {
    super('job.cancelled', 'The job was cancelled.');
    this.jobId = jobId;
  }
}

/** A generation has failed; its credits were refunded. */
export class TaskFailedError extends AtelierError {
  override readonly name = 'TaskFailedError';
  readonly taskId: string;
  /** A code of the vendor or of the server. */
  readonly reason: string;

  constructor(taskId: string, reason: string, message: string) {
    super('task.failed', message || 'The generation has failed.');
    this.taskId = taskId;
    this.reason = reason;
  }
}

/** Signing in has not led to a key, or not yet. */
export class SignInError extends AtelierError {
  override readonly name = 'SignInError';
  /** The OAuth error code, such as `access_denied`. */
  readonly reason: string;

  constructor(reason: string, message: string, options: AtelierErrorOptions = {}) {
    super('client.sign_in', message, options);
    this.reason = reason;
  }
}

/** A message that must not be trusted. */
export class WebhookError extends AtelierError {
  override readonly name = 'WebhookError';

  constructor(message: string) {
    super('client.webhook', message);
  }
}

/** A call that can never work: the sentence says what to change. */
export function usageError(message: string): AtelierError {
  return new AtelierError('client.usage', message);
}
