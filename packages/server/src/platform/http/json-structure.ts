const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes that a body may have outside of its texts: as many as most routes accept in total. */
export const MAX_STRUCTURE = 1024 * 1024;
/** An escaped quotation mark costs only a step of the search. */
const MARKS_PER_BYTE = 4;

/**
 * Whether a body has more brackets, numbers and names than any honest one. Honest large bodies consist of pictures in texts;
 * 72 MiB of brackets take minutes of the event loop and gigabytes to parse and validate. Skips texts at the speed of memory.
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
    // A text without an end is not JSON. The parser will say so.
    if (close === -1) return false;
    at = close + 1;
  }
  return true;
}

/** A call of `indexOf` costs as much as a loop over some hundred bytes, and most texts are shorter. */
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
