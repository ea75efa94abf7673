/** The message of anything thrown. A refused connection to "localhost" is an `AggregateError` without a message. */
export function messageOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}
