/**
 * A failure that a node explains. `exceptionType` is what clients see as `exception_type`; the names are those that
 * readers of such messages know (`ValueError`, `RuntimeError`, `FileNotFoundError`…).
 */
export class NodeError extends Error {
  readonly exceptionType: string;

  constructor(exceptionType: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = exceptionType;
    this.exceptionType = exceptionType;
  }
}

/** The job exceeds a limit that is the same on every worker. */
export class LimitError extends NodeError {
  constructor(message: string) {
    super('OOMError', message);
  }
}

/** The kind that most failures are of: an input has a value that the node cannot use. */
export function valueError(message: string, options?: ErrorOptions): NodeError {
  return new NodeError('ValueError', message, options);
}

/** The job was cancelled; not a failure. */
export class Interrupted extends Error {
  constructor() {
    super('The job was cancelled.');
    this.name = 'Interrupted';
  }
}
