/** A failure that a node explains. Clients get `exceptionType` as `exception_type`, a name of Python such as `ValueError`. */
export class NodeError extends Error {
  readonly exceptionType: string;

  constructor(exceptionType: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = exceptionType;
    this.exceptionType = exceptionType;
  }
}

/** The job exceeds a limit that is the same on every worker, so it would fail everywhere. */
export class LimitError extends NodeError {
  constructor(message: string) {
    super('OOMError', message);
  }
}

/** The most common failure: the node cannot use the value of an input. */
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
