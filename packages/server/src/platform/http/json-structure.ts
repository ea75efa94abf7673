const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a body may have beside its texts, in bytes: as much as the bodies of most routes have in all. */
export const MAX_STRUCTURE = 1024 * 1024;
/** A quotation mark within a text costs a step of the search and nothing else. */
const MARKS_PER_BYTE = 4;

/**
 * Whether a body has more brackets, numbers and names than anybody means. Large bodies are large by the pictures in their texts;
 * 72 MiB of brackets alone take minutes of the event loop and gigabytes to parse and to validate. Looks at texts at the speed of memory.
 */
export function isTooIntricate(body: Buffer): boolean {
  if (body.length <= MAX_STRUCTURE) return false;
  let left = MAX_STRUCTURE * MARKS_PER_BYTE;
  for (let at = 0; left >= 0; ) {
    const open = nextQuote(body, at);
    if (open === -1) return (body.length - at) * MARKS_PER_BYTE > left;
    left -= (open - at + 2) * MARKS_PER_BYTE;
    let close = nextQuote(body, open + 1);
    while (close !== -1 && left >= 0 && isEscaped(body, close)) {
      left -= 1;
      close = nextQuote(body, close + 1);
    }
    // A text without an end is not JSON, and is told so.
    if (close === -1) return false;
    at = close + 1;
  }
  return true;
}

/** A call of `indexOf` costs as much as looking at some hundred bytes here; names and numbers are shorter, pictures are not. */
const NEAR_BYTES = 128;

function nextQuote(body: Buffer, from: number): number {
  const near = Math.min(from + NEAR_BYTES, body.length);
  for (let at = from; at < near; at += 1) if (body[at] === QUOTE) return at;
  return body.indexOf(QUOTE, near);
}

function isEscaped(body: Buffer, quote: number): boolean {
  let before = quote - 1;
  while (body[before] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}
