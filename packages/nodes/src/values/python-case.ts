import { createTextBuilder } from '@atelier/engine';

/** Upper, title and lower case, in threes. */
const DIGRAPHS = 'ǄǅǆǇǈǉǊǋǌǱǲǳ';
/** `str.upper` and `str.lower` are Unicode's full mappings, as in JavaScript. Only title case is missing. */
const TITLE_CASE = new Map<string, string>([
  ...Array.from(DIGRAPHS, (letter, index) => [letter, DIGRAPHS.charAt(index - (index % 3) + 1)] as const),
  // Ligatures become an upper-case letter and lower-case letters.
  ...Array.from('ßևﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ', (letter) => [letter, capitalFirst(letter.toUpperCase())] as const),
  // Greek letters keep an iota below.
  ...range(0x1f80, 0x1faf).map(
    (code) => [String.fromCodePoint(code), String.fromCodePoint(code | 8)] as const,
  ),
  ...[0x1fb3, 0x1fc3, 0x1ff3].flatMap((code): (readonly [string, string])[] => {
    const capital = String.fromCodePoint(code + 9);
    const below = [code - 1, code + 1, code + 4].map((other) => String.fromCodePoint(other));
    return [
      [String.fromCodePoint(code), capital],
      [capital, capital],
      ...below.map((letter) => [letter, letter.toUpperCase().replace('\u0399', '\u0345')] as const),
    ];
  }),
  // Georgian has capitals, but only in words of capitals.
  ...range(0x10d0, 0x10ff).map((code) => [String.fromCodePoint(code), String.fromCodePoint(code)] as const),
]);
const CASED = /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u;

/** `str.capitalize` */
export function capitalize(text: string): string {
  const [first = ''] = text;
  // Lowered within the whole text, because a sigma depends on the letters before it.
  return titleLetter(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

/** `str.title`: a capital after everything without case, even after apostrophes and digits. */
export function titleCase(text: string): string {
  const lowered = text.toLowerCase();
  let offset = 0;
  let afterCased = false;
  const result = createTextBuilder();
  for (const letter of text) {
    const length = letter.toLowerCase().length;
    result.add(afterCased ? lowered.slice(offset, offset + length) : titleLetter(letter));
    offset += length;
    afterCased = CASED.test(letter);
  }
  return result.toString();
}

function titleLetter(letter: string): string {
  return TITLE_CASE.get(letter) ?? letter.toUpperCase();
}

function capitalFirst(text: string): string {
  const [first = ''] = text;
  return first + text.slice(first.length).toLowerCase();
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
