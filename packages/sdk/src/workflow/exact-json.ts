/**
 * JSON with integers of any size: seeds have up to 64 bits, but a JavaScript number holds only 53. Larger ones become `bigint`.
 * Strings are matched only to skip them.
 */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
/** No JSON string can start with this by accident: it would be escaped. */
const MARK = '\u0000integer:';
const MARKED = /"\\u0000integer:(-?\d+)"/g;

export function parseExactJson(text: string): unknown {
  const marked = text.replaceAll(STRING_OR_LONG_INTEGER, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"\\u0000integer:${found}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** JSON text of a value that contains `bigint`. */
export function toExactJson(value: unknown, indent?: number): string {
  const replace = (_: string, part: unknown) => (typeof part === 'bigint' ? `${MARK}${part}` : part);
  const text = JSON.stringify(value, replace, indent);
  return text.replaceAll(MARKED, '$1');
}
