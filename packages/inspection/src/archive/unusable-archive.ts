/** No one may get the archive; the message is a sentence for its publisher. */
export class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive';
}

/** A name from outside on one line, in quotes. */
export function shown(name: string, maxLength = 120): string {
  const printable = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{FFFD}');
  return printable.length > maxLength ? `"${printable.slice(0, maxLength)}…"` : `"${printable}"`;
}
