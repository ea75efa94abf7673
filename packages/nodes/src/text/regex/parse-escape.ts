import type { PatternSource } from './pattern-source.ts';
import { type Category, PatternError, type Place } from './pattern-tree.ts';

export const OCTAL = /^[0-7]$/;
export const DIGIT = /^[0-9]$/;
const HEX = /^[0-9a-fA-F]$/;
const ASCII_LETTER_OR_DIGIT = /^[a-zA-Z0-9]$/;

/** Escapes that stand for one control character, in patterns and in replacements. */
export const CONTROL_ESCAPES: Readonly<Record<string, number>> = {
  '\\a': 7,
  '\\b': 8,
  '\\f': 12,
  '\\n': 10,
  '\\r': 13,
  '\\t': 9,
  '\\v': 11,
  '\\\\': 92,
};

const CATEGORIES: Readonly<Record<string, Category>> = { d: 'digit', s: 'space', w: 'word' };
const PLACES: Readonly<Record<string, Place>> = { A: 'start', Z: 'end', b: 'boundary', B: 'notBoundary' };

export type Escape =
  | { readonly code: number }
  | { readonly category: Category; readonly negated: boolean }
  | { readonly place: Place }
  | { readonly group: number };

/** Reads an escape. In a set, letters are no places and digits no groups. */
export function parseEscape(
  escape: string,
  source: PatternSource,
  { isInSet = false }: { readonly isInSet?: boolean } = {},
): Escape {
  const letter = escape.slice(1);
  const place = isInSet ? undefined : PLACES[letter];
  if (place !== undefined) return { place };
  const control = CONTROL_ESCAPES[escape];
  if (control !== undefined) return { code: control };
  const shared = parseCategory(letter) ?? parseHex(letter, source);
  if (shared) return shared;
  if (letter === '0' || (isInSet && OCTAL.test(letter)))
    return { code: octal(letter + source.getWhile(2, OCTAL), source) };
  if (DIGIT.test(letter) && !isInSet) return parseNumber(letter, source);
  return literal(escape, source);
}

/** Three octal digits are a character, anything shorter is a group. */
export function parseNumber(
  first: string,
  source: PatternSource,
): { readonly code: number } | { readonly group: number } {
  let digits = first;
  if (DIGIT.test(source.next)) {
    digits += source.get();
    if (/^[0-7]{2}$/.test(digits) && OCTAL.test(source.next)) {
      return { code: octal(digits + source.get(), source) };
    }
  }
  return { group: Number(digits) };
}

function parseCategory(letter: string): Escape | undefined {
  const category = CATEGORIES[letter.toLowerCase()];
  return category && { category, negated: letter !== letter.toLowerCase() };
}

function parseHex(letter: string, source: PatternSource): Escape | undefined {
  const length = { x: 2, u: 4, U: 8 }[letter];
  if (length === undefined) return undefined;
  const digits = source.getWhile(length, HEX);
  if (digits.length !== length)
    throw new PatternError(`incomplete escape \\${letter}${digits}`, source.position);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) throw badEscape(`\\${letter}${digits}`, source);
  return { code };
}

function octal(digits: string, source: PatternSource): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) {
    throw new PatternError(`octal escape value \\${digits} outside of range 0-0o377`, source.position);
  }
  return code;
}

function literal(escape: string, source: PatternSource): Escape {
  // Letters are reserved; `\N{…}` would need the names of all characters.
  if (ASCII_LETTER_OR_DIGIT.test(escape.slice(1))) throw badEscape(escape, source);
  return { code: escape.codePointAt(1) ?? 0 };
}

function badEscape(escape: string, source: PatternSource): PatternError {
  return new PatternError(`bad escape ${escape}`, source.position);
}
