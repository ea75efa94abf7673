/** The archive cannot be served to anyone; the message is a sentence for its publisher. */
export class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive';
}

const MAX_SHOWN = 120;

export function shown(name: string): string {
  const printable = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{FFFD}');
  return printable.length > MAX_SHOWN ? `"${printable.slice(0, MAX_SHOWN)}…"` : `"${printable}"`;
}
