import { shown } from '@atelier/inspection';

/** The folder or file cannot be published. The message tells its author which file is wrong, and what to do. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

/** A name from outside on one line, in quotes. */
export function quoted(text: string): string {
  return shown(text, 200);
}

/** Whether a call of the file system failed for this reason. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
