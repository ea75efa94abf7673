import { roundHalfEven } from '../../../values/arithmetic.ts';
import { ASCENT, glyphOf } from './typeface.ts';
import { wrap } from './wrap.ts';

const LINE_SPACING = 1.2;
const MARGIN_SHARE = 0.01;
const OUTLINE_SHARE = 0.04;
const MIN_PIXELS = 10;
const MIN_SHARE = 0.02;
const SHRINKING = 0.9;
const LINES_PER_CHECKPOINT = 64;

export interface LayoutOptions {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  /** In hundredths of the height. */
  readonly fontSize: number;
  readonly position: 'top' | 'bottom';
  readonly align: 'left' | 'center' | 'right';
  readonly outline: boolean;
  readonly checkpoint: () => void;
}

export interface TextLine {
  readonly text: string;
  readonly x: number;
  readonly baseline: number;
}

export interface TextLayout {
  readonly size: number;
  /** Pixels around the letters. */
  readonly stroke: number;
  readonly lines: readonly TextLine[];
}

/** Breaks the text into lines and shrinks it until it fits, or until it would be too small to read. */
export function layOut(options: LayoutOptions): TextLayout {
  const { width, height, outline } = options;
  const margin = roundHalfEven(MARGIN_SHARE * Math.min(width, height));
  const maxWidth = Math.max(1, width - 2 * margin);
  const maxHeight = Math.max(1, height - 2 * margin);
  let size = Math.max(1, roundHalfEven((options.fontSize / 100) * height));
  const floor = Math.min(size, Math.max(MIN_PIXELS, roundHalfEven(MIN_SHARE * height)));
  for (;;) {
    const stroke = outline ? Math.max(1, roundHalfEven(size * OUTLINE_SHARE)) : 0;
    const spacing = roundHalfEven(size * LINE_SPACING);
    // So many lines are more than fit, and of a text that is cut off no more are seen.
    const shown = Math.ceil(height / spacing) + 2;
    const kept = size <= floor && options.position === 'bottom' ? 'last' : 'first';
    const lines = take(wrap(options.text, maxWidth / size), shown, kept, options.checkpoint);
    const [top, bottom] = extent(lines, size, spacing);
    const fits = lines.length < shown && bottom - top + 2 * stroke <= maxHeight;
    if (fits || size <= floor) {
      const y = options.position === 'bottom' ? height - margin - bottom - stroke : margin - top + stroke;
      return { size, stroke, lines: place(lines, y, { size, spacing, margin, width, align: options.align }) };
    }
    size = Math.max(floor, Math.trunc(size * SHRINKING));
  }
}

/** The first or the last of the lines, without holding the rest. */
function take(
  lines: Iterable<string>,
  count: number,
  which: 'first' | 'last',
  checkpoint: () => void,
): readonly string[] {
  const taken: string[] = [];
  let seen = 0;
  for (const line of lines) {
    taken.push(line);
    if (which === 'first' && taken.length === count) return taken;
    if (taken.length === 2 * count) taken.splice(0, count);
    if (++seen % LINES_PER_CHECKPOINT === 0) checkpoint();
  }
  return which === 'last' ? taken.slice(-count) : taken;
}

/** Top and bottom of the ink when the first line begins at 0. An empty line reaches to its own beginning. */
function extent(
  lines: readonly string[],
  size: number,
  spacing: number,
): readonly [top: number, bottom: number] {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  const ascent = Math.ceil(ASCENT * size);
  // Lines between the first and the last two cannot reach beyond them.
  for (const index of new Set([0, 1, lines.length - 2, lines.length - 1])) {
    const line = lines[index];
    if (line === undefined) continue;
    const baseline = index * spacing + ascent;
    const glyphs = Array.from(line, glyphOf).filter((glyph) => glyph.lines.length > 0);
    const reach =
      glyphs.length === 0
        ? [index * spacing]
        : glyphs.flatMap((glyph) => [
            Math.floor(baseline - glyph.top * size),
            Math.ceil(baseline - glyph.bottom * size),
          ]);
    for (const each of reach) {
      if (each < top) top = each;
      if (each > bottom) bottom = each;
    }
  }
  return [top, bottom];
}

interface PlaceOptions {
  readonly size: number;
  readonly spacing: number;
  readonly margin: number;
  readonly width: number;
  readonly align: LayoutOptions['align'];
}

function place(
  lines: readonly string[],
  y: number,
  { size, spacing, margin, width, align }: PlaceOptions,
): readonly TextLine[] {
  const ascent = Math.ceil(ASCENT * size);
  return lines.map((text, index) => {
    const length = align === 'left' ? 0 : lengthOf(text) * size;
    const x = align === 'left' ? margin : align === 'center' ? (width - length) / 2 : width - margin - length;
    return { text, x, baseline: y + index * spacing + ascent };
  });
}

function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += glyphOf(character).advance;
  return length;
}
