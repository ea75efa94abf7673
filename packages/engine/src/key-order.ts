const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const BRACE = { open: 0x7b, close: 0x7d };
const BRACKET = { open: 0x5b, close: 0x5d };

/** What a look over the text of valid JSON tells that a parsed object does not. */
export interface KeyOrder {
  /** How deep it is nested. */
  readonly depth: number;
  /** Keys of the outermost object, in order. */
  readonly outer: readonly string[];
  /** Keys of the object that is its last member of the name that was asked for, in order. */
  readonly inner: readonly string[];
  /** The text of that object. */
  readonly innerText: string;
  /** Whether there is an integer of so many digits that it may lie beyond 2^53. */
  readonly hasLongNumber: boolean;
  /** Whether each number is written as JavaScript would write it, so `1` and not `1.0` or `1e0`. */
  readonly hasPlainNumbers: boolean;
}

/** As many digits as an integer beyond 2^53 has at least. */
const LONG_DIGITS = 16;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** Reads over valid JSON. Only the keys that are asked for are decoded, so it takes a fraction of what parsing takes. */
export function readKeyOrder(text: string, member: string): KeyOrder {
  const outer: string[] = [];
  let inner: string[] = [];
  let depth = 0;
  let deepest = 0;
  /** Whether the object at depth 2 is the member that was asked for. */
  let within = false;
  let start = 0;
  let stop = 0;
  let hasLongNumber = false;
  let hasPlainNumbers = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (depth <= 2 && (depth === 1 || within) && isKey(text, end)) {
        const key = decode(text, at, end);
        if (depth === 1) {
          outer.push(key);
          within = key === member;
          if (within) inner = [];
        } else inner.push(key);
      }
      at = end - 1;
    } else if (code === BRACE.open || code === BRACKET.open) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (within && depth === 2) start = at;
    } else if (code === BRACE.close || code === BRACKET.close) {
      if (within && depth === 2) stop = at + 1;
      depth -= 1;
    } else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(text, at);
      hasLongNumber ||= end - at >= LONG_DIGITS;
      // Of one digit it is plain, as most are.
      if (hasPlainNumbers && end - at > 1) hasPlainNumbers = PLAIN_NUMBER.test(text.slice(at, end));
      at = end - 1;
    }
  }
  const innerText = text.slice(start, stop);
  return {
    depth: deepest,
    outer: unique(outer),
    inner: unique(inner),
    innerText,
    hasLongNumber,
    hasPlainNumbers,
  };
}

/** What stands between two quotes. */
function decode(text: string, start: number, end: number): string {
  const plain = text.slice(start + 1, end - 1);
  return plain.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : plain;
}

/** Behind what belongs to a number, from its first digit on. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); isOfNumber(code); code = text.charCodeAt(end)) end += 1;
  return end;
}

/** Digits, a point, signs, and the `e` of an exponent. */
function isOfNumber(code: number): boolean {
  return (code >= 0x2b && code <= NINE && code !== 0x2c && code !== 0x2f) || code === 0x65 || code === 0x45;
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}

function unique(keys: readonly string[]): readonly string[] {
  const all = new Set(keys);
  return all.size === keys.length ? keys : [...all];
}
