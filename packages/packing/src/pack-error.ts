/** The folder or file cannot be published. The message is for its author: which file is wrong, and what to do. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

const MAX_SHOWN = 200;

/** A name from outside, in one line and quotes. */
export function quoted(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{FFFD}');
  return printable.length > MAX_SHOWN ? `"${printable.slice(0, MAX_SHOWN)}…"` : `"${printable}"`;
}

/** Whether a call of the file system failed for this reason. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
