import { LimitError } from './node-error.ts';

/**
 * For a text of a node. Texts live in the heap of a runner's process, which V8 ends when one allocation does not fit; so every
 * text is measured before it is made. A submission may have 10 MiB.
 */
export const MAX_TEXT_LENGTH = 2 ** 24;

/** For all texts that a job holds at one time. */
export const MAX_JOB_TEXT_LENGTH = 4 * MAX_TEXT_LENGTH;

export function textTooLong(maxLength: number = MAX_TEXT_LENGTH): LimitError {
  return new LimitError(`The text would be longer than ${maxLength} characters.`);
}

export type TextBuilder = ReturnType<typeof createTextBuilder>;

/** Pieces that are joined at a time: an array of millions would be one large allocation, and so would a rope. */
const JOINED_PIECES = 2 ** 14;

export function createTextBuilder(maxLength: number = MAX_TEXT_LENGTH) {
  const joined: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  return {
    /** Throws an `OOMError` if the text becomes too long. */
    add(piece: string): void {
      if (piece === '') return;
      length += piece.length;
      if (length > maxLength) throw textTooLong(maxLength);
      pieces.push(piece);
      if (pieces.length < JOINED_PIECES) return;
      joined.push(pieces.join(''));
      pieces = [];
    },
    toString: () => joined.join('') + pieces.join(''),
  };
}

const SLICE_LENGTH = 2 ** 14;

/** Maps and adds a text slice by slice, so that the result is never much longer than allowed. */
export function addMapped(builder: TextBuilder, text: string, map: (slice: string) => string): void {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + SLICE_LENGTH, text.length);
    // Surrogate pairs stay together.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    builder.add(map(text.slice(start, end)));
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A copy that shares no memory: a slice would keep the whole text, and a joined text its parts. */
export function detachText(text: string): string {
  return ` ${text}`.slice(1);
}
