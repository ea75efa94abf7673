/** Encodings whose sources read as they run. Others can hide code. */
const PLAIN_ENCODINGS =
  /^(?:utf-?8(?:-sig)?|u8|ascii|us-ascii|latin-?1|iso-?8859-?\d+|cp125\d|windows-125\d|gb(?:k|2312|18030)|big5|euc-?(?:jp|kr)|shift-?jis|sjis|koi8-[ru])$/;

/**
 * Decodes a source as Python does: in the encoding that one of its first two lines declares, which is `oddEncoding` if people
 * do not write in it.
 */
export function decodeSource(bytes: Buffer) {
  const [first = '', second = ''] = bytes
    .subarray(0, 1024)
    .toString('latin1')
    .split(/\r\n?|\n/, 2);
  const declared =
    declaredEncoding(first) ?? (/^[ \t\f]*(?:#|$)/.test(first) ? declaredEncoding(second) : undefined);
  if (declared === undefined) return { text: bytes.toString('utf8').replace(/^\u{FEFF}/u, '') };
  const name = declared.toLowerCase().replaceAll('_', '-');
  if (!PLAIN_ENCODINGS.test(name)) return { text: bytes.toString('utf8'), oddEncoding: declared };
  return { text: decodeAs(name, bytes) };
}

function declaredEncoding(line: string): string | undefined {
  return /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line.replace(/^\u00ef\u00bb\u00bf/, ''))?.[1];
}

function decodeAs(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder(name === 'u8' || name === 'utf-8-sig' ? 'utf-8' : name).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
