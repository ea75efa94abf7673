import type { Memory } from '@atelier/engine';
import type { TextLayout } from './layout.ts';
import { type Glyph, glyphOf, PEN_RADIUS } from './typeface.ts';

/** How finely letters are placed between two pixels. */
const PHASES = 4;

/** How much of each pixel is ink, from 0 to 255, for the rows from `top` on. */
export interface TextMasks {
  readonly top: number;
  readonly rows: number;
  readonly letters: Uint8Array<ArrayBuffer>;
  /** Letters and the line around them. */
  readonly outlined: Uint8Array<ArrayBuffer>;
}

export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly memory: Memory;
  readonly checkpoint: () => void;
}

/** Draws what of the text lies on the canvas. */
export function rasterize(layout: TextLayout, { width, height, memory, checkpoint }: Canvas): TextMasks {
  const { size, stroke } = layout;
  const reach = size + stroke + 1;
  const lines = layout.lines.filter(({ baseline }) => baseline > -reach && baseline < height + reach);
  const first = lines[0]?.baseline ?? 0;
  const last = lines.at(-1)?.baseline ?? 0;
  const top = Math.max(0, first - Math.ceil(reach));
  const rows = Math.max(0, Math.min(height, last + Math.ceil(reach)) - top);
  const empty = (): Uint8Array<ArrayBuffer> => memory.dirtyBytes(width * rows).fill(0);
  const masks = { top, rows, letters: empty(), outlined: empty() };
  const drawings = new Map<string, Drawing>();
  for (const { text, x, baseline } of lines) {
    let pen = x;
    for (const character of text) {
      const glyph = glyphOf(character);
      const column = Math.floor(pen);
      const phase = Math.floor((pen - column) * PHASES);
      const key = `${phase}${character}`;
      const drawing =
        drawings.get(key) ?? drawGlyph(glyph, { phase: phase / PHASES, size, stroke, checkpoint });
      drawings.set(key, drawing);
      stamp(drawing, masks, width, column, baseline - top);
      pen += glyph.advance * size;
    }
    checkpoint();
  }
  return masks;
}

/** One character's ink, with the place of its upper left pixel relative to the pen. */
interface Drawing {
  readonly left: number;
  readonly above: number;
  readonly width: number;
  readonly letters: Uint8Array;
  readonly outlined: Uint8Array;
}

interface GlyphOptions {
  /** How far the pen is to the right of a pixel's left edge. */
  readonly phase: number;
  readonly size: number;
  readonly stroke: number;
  readonly checkpoint: () => void;
}

function drawGlyph(glyph: Glyph, { phase, size, stroke, checkpoint }: GlyphOptions): Drawing {
  const pen = PEN_RADIUS * size;
  const reach = pen + stroke + 1;
  const points = glyph.lines.map((line) =>
    line.map((value, index) => (index % 2 === 0 ? value * size + phase : -value * size)),
  );
  const box = boxAround(points, reach);
  const distances = new Float64Array(box.width * box.height).fill(Number.POSITIVE_INFINITY);
  for (const line of points) {
    for (let index = 0; index + 1 < line.length; index += 2) {
      const next = index + 3 < line.length ? index + 2 : index;
      nearSegment(distances, box, line.subarray(index, index + 2), line.subarray(next, next + 2), reach);
      checkpoint();
    }
  }
  const ink = (radius: number): Uint8Array =>
    Uint8Array.from(
      distances,
      (squared) => 255 * Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(squared))) + 0.5,
    );
  const letters = ink(pen);
  const outlined = stroke > 0 ? ink(pen + stroke) : letters;
  return { left: box.left, above: box.top, width: box.width, letters, outlined };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function boxAround(lines: readonly Float64Array[], reach: number): Box {
  let [left, right, top, bottom] = [0, 0, 0, 0];
  let any = false;
  for (const line of lines) {
    for (let index = 0; index + 1 < line.length; index += 2) {
      const x = line[index] as number;
      const y = line[index + 1] as number;
      left = any ? Math.min(left, x) : x;
      right = any ? Math.max(right, x) : x;
      top = any ? Math.min(top, y) : y;
      bottom = any ? Math.max(bottom, y) : y;
      any = true;
    }
  }
  if (!any) return { left: 0, top: 0, width: 0, height: 0 };
  const [x, y] = [Math.floor(left - reach), Math.floor(top - reach)];
  return { left: x, top: y, width: Math.ceil(right + reach) - x, height: Math.ceil(bottom + reach) - y };
}

/** Lowers the squared distances of pixels near a segment to their distance from it. */
function nearSegment(
  distances: Float64Array,
  box: Box,
  [fromX = 0, fromY = 0]: Float64Array,
  [toX = 0, toY = 0]: Float64Array,
  reach: number,
): void {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const length = alongX * alongX + alongY * alongY;
  const left = Math.max(0, Math.floor(Math.min(fromX, toX) - reach) - box.left);
  const right = Math.min(box.width, Math.ceil(Math.max(fromX, toX) + reach) - box.left);
  const top = Math.max(0, Math.floor(Math.min(fromY, toY) - reach) - box.top);
  const bottom = Math.min(box.height, Math.ceil(Math.max(fromY, toY) + reach) - box.top);
  for (let row = top; row < bottom; row++) {
    const y = row + box.top + 0.5 - fromY;
    for (let column = left; column < right; column++) {
      const x = column + box.left + 0.5 - fromX;
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * alongX + y * alongY) / length));
      const [offX, offY] = [x - share * alongX, y - share * alongY];
      const squared = offX * offX + offY * offY;
      const index = row * box.width + column;
      if (squared < (distances[index] as number)) distances[index] = squared;
    }
  }
}

/** Adds a character's ink; where two overlap the darker one stays. */
function stamp(drawing: Drawing, masks: TextMasks, width: number, column: number, baseline: number): void {
  if (drawing.width === 0) return;
  const height = drawing.letters.length / drawing.width;
  const left = Math.max(0, -(column + drawing.left));
  const right = Math.min(drawing.width, width - column - drawing.left);
  for (let row = 0; row < height; row++) {
    const y = baseline + drawing.above + row;
    if (y < 0 || y >= masks.rows) continue;
    for (let x = left; x < right; x++) {
      const from = row * drawing.width + x;
      const to = y * width + column + drawing.left + x;
      masks.letters[to] = Math.max(masks.letters[to] as number, drawing.letters[from] as number);
      masks.outlined[to] = Math.max(masks.outlined[to] as number, drawing.outlined[from] as number);
    }
  }
}
