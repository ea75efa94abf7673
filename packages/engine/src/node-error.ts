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

/** The job was cancelled; not a failure. */
export class Interrupted extends Error {
  constructor() {
    super('The job was cancelled.');
    this.name = 'Interrupted';
  }
}
