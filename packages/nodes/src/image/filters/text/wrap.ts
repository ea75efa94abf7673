import { advanceOf, glyphOf } from './typeface.ts';

const SPACE = glyphOf(' ').advance;

/** Lines no longer than `maxWidth`, in sizes: broken between words, and within words that are too long for a line. */
export function* wrap(text: string, maxWidth: number): Iterable<string> {
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (start === end) yield '';
    else yield* wrapParagraph(text.slice(start, end), maxWidth);
    start = end + 1;
  }
}

function* wrapParagraph(paragraph: string, maxWidth: number): Iterable<string> {
  let line = '';
  let length = 0;
  let any = false;
  for (const [word] of paragraph.matchAll(/\S+/gu)) {
    for (const piece of pieces(word, maxWidth)) {
      const joined = length + SPACE + piece.length;
      if (line !== '' && (piece.full || joined > maxWidth)) {
        yield line;
        line = '';
      }
      if (piece.full) {
        yield piece.text;
      } else {
        length = line === '' ? piece.length : joined;
        line = line === '' ? piece.text : `${line} ${piece.text}`;
      }
      any = true;
    }
  }
  if (line !== '' || !any) yield line;
}

interface Piece {
  readonly text: string;
  readonly length: number;
  /** It is a line of its own. */
  readonly full: boolean;
}

/** A word, cut where the next character would be too much for a line. */
function* pieces(word: string, maxWidth: number): Iterable<Piece> {
  let start = 0;
  let length = 0;
  for (let at = 0; at < word.length; ) {
    const code = word.codePointAt(at) ?? 0;
    const advance = advanceOf(code);
    if (at > start && length + advance > maxWidth) {
      yield { text: word.slice(start, at), length, full: true };
      start = at;
      length = 0;
    }
    length += advance;
    at += code > 0xffff ? 2 : 1;
  }
  yield { text: word.slice(start), length, full: false };
}
