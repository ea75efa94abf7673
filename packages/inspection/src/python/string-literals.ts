/** Also for `\\N{...}`, because there is no table of names. */
const UNKNOWN_LETTER = '\u{FFFD}';

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPE =
  /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}]*)\}|(\n|.))/g;

export function stringShape(literal: string) {
  const [, prefix = '', quotes = ''] = /^([a-z]*)('''|"""|'|")/i.exec(literal) ?? [];
  const start = prefix.length + quotes.length;
  const isClosed = quotes !== '' && literal.endsWith(quotes) && literal.length >= start + quotes.length;
  const letters = prefix.toLowerCase();
  return {
    isRaw: letters.includes('r'),
    isBytes: letters.includes('b'),
    start,
    end: isClosed ? literal.length - quotes.length : literal.length,
  };
}

export function unescapeString(content: string, { isRaw, isBytes }: ReturnType<typeof stringShape>): string {
  const lines = content.includes('\r') ? content.replaceAll(/\r\n?/g, '\n') : content;
  if (isRaw || !lines.includes('\\')) return lines;
  return lines.replaceAll(ESCAPE, (whole: string, ...groups: (string | undefined)[]) => {
    const [octal, hex, short, long, , one] = groups;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & (isBytes ? 0xff : 0x1ff));
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (one !== undefined) return SIMPLE[one] ?? whole;
    if (isBytes) return whole;
    if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
    const code = Number.parseInt(long ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : UNKNOWN_LETTER;
  });
}
