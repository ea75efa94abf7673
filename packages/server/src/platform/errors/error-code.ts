/** What Node says went wrong, such as `ENOENT`; empty when it says nothing. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
