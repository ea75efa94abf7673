import { WHITE_SPACE } from '@atelier/engine';
import type { Category, SetItem } from './pattern-tree.ts';

const ASCII = 128;
const UNICODE_CATEGORIES: Readonly<Record<Category, RegExp>> = {
  digit: /\p{Nd}/u,
  space: new RegExp(`[${WHITE_SPACE}]`, 'u'),
  word: /[\p{L}\p{N}_]/u,
};
const ASCII_CATEGORIES: Readonly<Record<Category, RegExp>> = {
  digit: /[0-9]/,
  space: /[ \t-\r]/,
  word: /\w/,
};

/** `\d`, `\s` and `\w`. */
export function isInCategory(code: number, category: Category, ascii: boolean): boolean {
  if (ascii) return code < ASCII && ASCII_CATEGORIES[category].test(String.fromCharCode(code));
  return UNICODE_CATEGORIES[category].test(String.fromCodePoint(code));
}

/** The lower-case letter that stands for a character when case is ignored. */
export function lowerCode(code: number): number {
  if (code < ASCII) return asciiLower(code);
  return String.fromCodePoint(code).toLowerCase().codePointAt(0) ?? code;
}

export function asciiLower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 32 : code;
}

/** Lower-case letters that share an upper-case one: each matches the others when case is ignored. */
const SHARED_CAPITALS = new Map<number, readonly number[]>(
  (
    'i\u0131 s\u017f \xb5\u03bc \u0345\u03b9\u1fbe \u0390\u1fd3 \u03b0\u1fe3 \u03b2\u03d0 ' +
    '\u03b5\u03f5 \u03b8\u03d1 \u03ba\u03f0 \u03c0\u03d6 \u03c1\u03f1 \u03c2\u03c3 \u03c6\u03d5 ' +
    '\u0432\u1c80 \u0434\u1c81 \u043e\u1c82 \u0441\u1c83 \u0442\u1c84\u1c85 \u044a\u1c86 ' +
    '\u0463\u1c87 \u1c88\ua64b \u1e61\u1e9b \ufb05\ufb06'
  )
    .split(' ')
    .flatMap((letters) => {
      const codes = Array.from(letters, (letter) => letter.codePointAt(0) ?? 0);
      return codes.map((code) => [code, codes] as const);
    }),
);

/** No character after it has a case. */
const LAST_CASED = 0x1e943;

/** The lower-case letters that a character stands for when case is ignored. */
function caseVariants(code: number): readonly number[] {
  const lower = lowerCode(code);
  return SHARED_CAPITALS.get(lower) ?? [lower];
}

/** Both cases of an ASCII letter. */
function asciiVariants(code: number): readonly number[] {
  const lower = asciiLower(code);
  return lower >= 0x61 && lower <= 0x7a ? [lower, lower - 32] : [];
}

type Changes = readonly (readonly [code: number, variants: readonly number[]])[];

/** The characters up to `last` that stand for others. */
function findChanges(variants: (code: number) => readonly number[], last: number): Changes {
  const changes: (readonly [number, readonly number[]])[] = [];
  for (let code = 0; code <= last; code += 1) {
    const others = variants(code).filter((variant) => variant !== code);
    if (others.length > 0) changes.push([code, others]);
  }
  return changes;
}

const asciiChanges = findChanges(asciiVariants, ASCII - 1);
const firstChanges = findChanges(caseVariants, ASCII - 1);
let allChanges: Changes | undefined;

function changesUpTo(last: number): Changes {
  if (last < ASCII) return firstChanges;
  // Computed when first needed, because it takes some milliseconds.
  allChanges ??= findChanges(caseVariants, LAST_CASED);
  return allChanges;
}

/** Tests whether a character is in the set. If case is ignored, pass the lower-case letter; for ASCII alone, any. */
export function createCharacterSet(
  items: readonly SetItem[],
  { negated, ignoreCase, ascii }: Readonly<Record<'negated' | 'ignoreCase' | 'ascii', boolean>>,
): (code: number) => boolean {
  const ranges = items.filter((item) => 'first' in item);
  const categories = items.filter((item) => 'category' in item);
  const bounds = mergeRanges(ignoreCase ? ranges.flatMap((range) => withVariants(range, ascii)) : ranges);
  const find = (code: number): boolean =>
    inRanges(bounds, code) ||
    categories.some(({ category, negated: outside }) => isInCategory(code, category, ascii) !== outside);
  const first = Array.from({ length: ASCII }, (_, code) => find(code) !== negated);
  return (code) => first[code] ?? find(code) !== negated;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

function withVariants(range: Range, ascii: boolean): readonly Range[] {
  const ranges = [range];
  for (const [code, variants] of ascii ? asciiChanges : changesUpTo(range.last)) {
    if (code < range.first || code > range.last) continue;
    for (const variant of variants) {
      if (variant < range.first || variant > range.last) ranges.push({ first: variant, last: variant });
    }
  }
  return ranges;
}

/** The bounds of each range, in order. No range touches another. */
function mergeRanges(ranges: readonly Range[]): Int32Array {
  const merged: number[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const end = merged.at(-1);
    if (end !== undefined && first <= end + 1) merged[merged.length - 1] = Math.max(end, last);
    else merged.push(first, last);
  }
  return Int32Array.from(merged);
}

function inRanges(bounds: Int32Array, code: number): boolean {
  let low = 0;
  let high = bounds.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code > (bounds[2 * middle + 1] ?? 0)) low = middle + 1;
    else if (code < (bounds[2 * middle] ?? 0)) high = middle;
    else return true;
  }
  return false;
}
