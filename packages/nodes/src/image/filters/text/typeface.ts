import { COMPOSED_GLYPHS, GLYPH_PATHS, MARK_PATHS, UNKNOWN_GLYPH } from './glyph-paths.ts';

/** Half the width of the pen. All measures here are shares of the size. */
export const PEN_RADIUS = 0.041;
/** From the top of a line to its baseline. */
export const ASCENT = 0.97;

export interface Glyph {
  readonly advance: number;
  /** Lines along which the pen moves: x, y, x, y… with y upwards from the baseline. */
  readonly lines: readonly Float64Array[];
  /** Highest and lowest ink above the baseline; both 0 when there is none. */
  readonly top: number;
  readonly bottom: number;
}

/** Steps for a full ellipse: at a size of 200 pixels no corner is off by more than a tenth of one. */
const ELLIPSE_STEPS = 72;
const BEND_STEPS = 12;
/** How much higher marks stand over capitals. */
const CAPITAL_RISE = 0.16;

const drawn = new Map<string, Glyph>();
const unknown = fromPath(UNKNOWN_GLYPH);

/** The drawing of one character, that is of one code point. */
export function glyphOf(character: string): Glyph {
  const glyph = drawn.get(character) ?? draw(character);
  if (!glyph) return unknown;
  drawn.set(character, glyph);
  return glyph;
}

const ascii = Float64Array.from({ length: 128 }, (_, code) => glyphOf(String.fromCodePoint(code)).advance);

/** How far a character moves the pen on, by its code point. */
export function advanceOf(code: number): number {
  return ascii[code] ?? glyphOf(String.fromCodePoint(code)).advance;
}

function draw(character: string): Glyph | undefined {
  const path = GLYPH_PATHS[character];
  if (path) return fromPath(path);
  const parts = COMPOSED_GLYPHS[character];
  if (parts) return composed(parts);
  if (/^\s$/u.test(character)) return draw(' ');
  return accented(character);
}

function composed(parts: readonly (readonly [string, number, number, number])[]): Glyph {
  let advance = 0;
  const lines = parts.flatMap(([character, scale, x, y]) => {
    const glyph = glyphOf(character);
    advance = Math.max(advance, x / 100 + glyph.advance * scale);
    return glyph.lines.map((line) => moved(line, { scale, x: x / 100, y: y / 100 }));
  });
  return measured(advance, lines);
}

/** Letters that Unicode takes apart into one of ours and marks. */
function accented(character: string): Glyph | undefined {
  const [letter = '', ...marks] = character.normalize('NFD');
  const base = GLYPH_PATHS[letter === 'i' && marks.length > 0 ? 'ı' : letter];
  if (!base || marks.length === 0 || !marks.every((mark) => mark in MARK_PATHS)) return undefined;
  const glyph = fromPath(base);
  const x = glyph.advance / 2;
  const rise = glyph.top > 0.6 ? CAPITAL_RISE : 0;
  const lines = marks.flatMap((mark) => {
    const below = mark === '\u0327' || mark === '\u0328';
    return parseLines(MARK_PATHS[mark] ?? '').map((line) =>
      moved(line, { scale: 1, x, y: below ? 0 : rise }),
    );
  });
  return measured(glyph.advance, [...glyph.lines, ...lines]);
}

function moved(
  line: Float64Array,
  { scale, x, y }: { readonly scale: number; readonly x: number; readonly y: number },
): Float64Array {
  return line.map((value, index) => value * scale + (index % 2 === 0 ? x : y));
}

function fromPath(path: string): Glyph {
  return measured(Number.parseFloat(path) / 100, parseLines(path));
}

function measured(advance: number, lines: readonly Float64Array[]): Glyph {
  const heights = lines.flatMap((line) => [...line].filter((_, index) => index % 2 === 1));
  if (heights.length === 0) return { advance, lines, top: 0, bottom: 0 };
  return {
    advance,
    lines,
    top: Math.max(...heights) + PEN_RADIUS,
    bottom: Math.min(...heights) - PEN_RADIUS,
  };
}

function parseLines(path: string): readonly Float64Array[] {
  const lines: number[][] = [];
  let line: number[] = [];
  const begin = (...points: readonly number[]): void => {
    line = [...points];
    lines.push(line);
  };
  for (const [, command, operands = ''] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const values = operands.split(' ').map(Number);
    const [a = 0, b = 0, c = 0, d = 0, from = 0, to = 0] = values;
    if (command === 'M') begin(a, b);
    else if (command === 'L') line.push(a, b);
    else if (command === 'Q') line.push(...bend(line.at(-2) ?? 0, line.at(-1) ?? 0, values));
    else if (command === 'O') begin(...arc(a, b, c, d, 0, 360));
    else if (line.length === 0 || !isNear(line, a, b, c, d, from)) begin(...arc(a, b, c, d, from, to));
    else line.push(...arc(a, b, c, d, from, to));
  }
  return lines.map((points) => Float64Array.from(points, (value) => value / 100));
}

/** Whether the line ends about where the arc begins; otherwise the arc is a line of its own. */
function isNear(line: readonly number[], x: number, y: number, a: number, b: number, from: number): boolean {
  const [startX = 0, startY = 0] = arc(x, y, a, b, from, from);
  return Math.hypot((line.at(-2) ?? 0) - startX, (line.at(-1) ?? 0) - startY) < 8;
}

function arc(x: number, y: number, a: number, b: number, from: number, to: number): readonly number[] {
  const steps = Math.max(1, Math.ceil((Math.abs(to - from) / 360) * ELLIPSE_STEPS));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + a * Math.cos(angle), y + b * Math.sin(angle)];
  }).flat();
}

function bend(
  fromX: number,
  fromY: number,
  [overX = 0, overY = 0, toX = 0, toY = 0]: readonly number[],
): readonly number[] {
  return Array.from({ length: BEND_STEPS }, (_, step) => {
    const t = (step + 1) / BEND_STEPS;
    const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
    return [p * fromX + q * overX + r * toX, p * fromY + q * overY + r * toY];
  }).flat();
}
