import { BLUE, GREEN, MOST, RED, type Size, U_PART, UNIT, V_PART } from './planes.ts';

/**
 * A part of a scene that is painted once and drawn in every frame, at any place and scale. Colors are multiplied by their
 * alpha, so that edges stay clean; a color without alpha is light that is added.
 */
export interface Texture {
  readonly width: number;
  readonly height: number;
  readonly y: Layer;
  readonly u: Layer;
  readonly v: Layer;
}

export interface Layer {
  readonly width: number;
  readonly height: number;
  readonly color: Int16Array;
  /** Opaque everywhere, light that is only added, or a mixture. */
  readonly kind: 'opaque' | 'light' | 'mixed';
  /** Of a mixture. */
  readonly alpha: Uint8Array | undefined;
  /** The parts of each row, and of the one below it, that are not empty; absent where all is opaque. */
  readonly spans: Spans | undefined;
}

interface Spans {
  /** Where the spans of each row begin in `ends`, and after the last row their number. */
  readonly starts: Int32Array;
  /** First pixel and the one after the last, by turns. */
  readonly ends: Int32Array;
}

/** Fills one row with red, green, blue (0 to 255) and alpha (0 to 1). */
export type PaintRow = (row: Float32Array, y: number) => void;

export interface PaintSettings {
  readonly opaque?: boolean | undefined;
  /** Colors are already multiplied by their alpha. */
  readonly premultiplied?: boolean | undefined;
}

/** Width and height are even. */
export function paintTexture(
  { width, height }: Size,
  paint: PaintRow,
  settings: PaintSettings = {},
): Texture {
  const { opaque = false, premultiplied = false } = settings;
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const y = newLayer(width, height, opaque ? undefined : new Uint8Array(width * height));
  const coarse = opaque ? undefined : new Uint8Array(halfWidth * halfHeight);
  const u = newLayer(halfWidth, halfHeight, coarse);
  const v = newLayer(halfWidth, halfHeight, coarse);
  const rows = [new Float32Array(width * 4), new Float32Array(width * 4)] as const;
  for (let pair = 0; pair < halfHeight; pair++) {
    for (const [offset, row] of rows.entries()) {
      row.fill(0);
      paint(row, pair * 2 + offset);
      if (!premultiplied && !opaque) multiplyAlpha(row);
      storeBrightness(y, row, pair * 2 + offset);
    }
    storeColor({ u, v, coarse }, rows, pair, halfWidth);
  }
  const isLight = !opaque && y.alpha?.every((value) => value === 0) === true;
  const [ofY, ofU, ofV] = [y, u, v].map((layer) => finished(layer, isLight));
  if (!ofY || !ofU || !ofV) throw new Error('A texture has three layers.');
  return { width, height, y: ofY, u: ofU, v: ofV };
}

/** Light needs no alpha, which halves the work of drawing it. */
function finished(layer: Layer, isLight: boolean): Layer {
  if (layer.kind === 'opaque') return layer;
  const spans = findSpans(layer);
  return isLight ? { ...layer, spans, kind: 'light', alpha: undefined } : { ...layer, spans };
}

function newLayer(width: number, height: number, alpha: Uint8Array | undefined): Layer {
  return {
    width,
    height,
    color: new Int16Array(width * height),
    kind: alpha ? 'mixed' : 'opaque',
    alpha,
    spans: undefined,
  };
}

function multiplyAlpha(row: Float32Array): void {
  for (let at = 0; at < row.length; at += 4) {
    const alpha = row[at + 3] as number;
    row[at] = (row[at] as number) * alpha;
    row[at + 1] = (row[at + 1] as number) * alpha;
    row[at + 2] = (row[at + 2] as number) * alpha;
  }
}

function storeBrightness({ width, color, alpha }: Layer, row: Float32Array, y: number): void {
  const start = y * width;
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const value =
      RED * (row[at] as number) + GREEN * (row[at + 1] as number) + BLUE * (row[at + 2] as number);
    color[start + x] = Math.min(MOST, value * UNIT);
    if (alpha) alpha[start + x] = (row[at + 3] as number) * 255 + 0.5;
  }
}

function storeColor(
  { u, v, coarse }: { readonly u: Layer; readonly v: Layer; readonly coarse: Uint8Array | undefined },
  [above, below]: readonly [Float32Array, Float32Array],
  pair: number,
  width: number,
): void {
  const start = pair * width;
  for (let x = 0, at = 0; x < width; x++, at += 8) {
    const sum = (offset: number): number =>
      0.25 *
      ((above[at + offset] as number) +
        (above[at + offset + 4] as number) +
        (below[at + offset] as number) +
        (below[at + offset + 4] as number));
    const red = sum(0);
    const blue = sum(2);
    const y = RED * red + GREEN * sum(1) + BLUE * blue;
    u.color[start + x] = (blue - y) * U_PART * UNIT;
    v.color[start + x] = (red - y) * V_PART * UNIT;
    if (coarse) coarse[start + x] = sum(3) * 255 + 0.5;
  }
}

/** Shorter gaps are not worth a span of their own. */
const GAP = 16;

function findSpans({ width, height, color, alpha }: Layer): Spans {
  const starts = new Int32Array(height + 1);
  const ends: number[] = [];
  for (let y = 0; y < height; y++) {
    starts[y] = ends.length;
    const above = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    let first = -1;
    let last = -1;
    for (let x = 0; x < width; x++) {
      const isEmpty =
        color[above + x] === 0 &&
        color[below + x] === 0 &&
        (!alpha || (alpha[above + x] === 0 && alpha[below + x] === 0));
      if (isEmpty) continue;
      if (first >= 0 && x - last > GAP) {
        ends.push(Math.max(0, first - 1), last + 1);
        first = x;
      } else if (first < 0) {
        first = x;
      }
      last = x;
    }
    // One empty pixel before each, so that its left edge is as soft as its right one.
    if (first >= 0) ends.push(Math.max(0, first - 1), last + 1);
  }
  starts[height] = ends.length;
  return { starts, ends: Int32Array.from(ends) };
}
