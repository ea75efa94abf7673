import { BLUE, GREEN, MAX_VALUE, RED, type Size, U_PART, UNIT, V_PART } from './planes.ts';

/**
 * A part of a scene that is painted once and drawn in every frame, at any place and scale. Colors are multiplied by their alpha, so
 * that edges stay clean. A color without alpha is light that is added.
 */
export type Texture = Readonly<Record<'y' | 'u' | 'v', Layer>>;

export interface Layer {
  readonly width: number;
  readonly height: number;
  readonly color: Int16Array;
  /** 0 to 255; absent where everything is opaque. */
  readonly alpha: Uint8Array | undefined;
  /** For each row, the first pixel of it or the next row that is not empty, and the one after the last. */
  readonly ranges: Int32Array | undefined;
}

/** Fills one row with red, green, blue (0 to 255) and alpha (0 to 1). */
export type PaintRow = (row: Float32Array, y: number) => void;

interface PaintOptions {
  readonly opaque?: boolean | undefined;
  /** Colors are already multiplied by their alpha. */
  readonly premultiplied?: boolean | undefined;
}

/** Width and height are even. */
export function paintTexture({ width, height }: Size, paint: PaintRow, options: PaintOptions = {}): Texture {
  const { opaque = false, premultiplied = false } = options;
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
    storeColor({ u, v }, rows, pair);
  }
  return opaque ? { y, u, v } : { y: withRanges(y), u: withRanges(u), v: withRanges(v) };
}

function newLayer(width: number, height: number, alpha: Uint8Array | undefined): Layer {
  return { width, height, color: new Int16Array(width * height), alpha, ranges: undefined };
}

function multiplyAlpha(row: Float32Array): void {
  for (let at = 0; at < row.length; at += 4) {
    const alpha = row[at + 3] as number;
    for (let channel = at; channel < at + 3; channel++) row[channel] = (row[channel] as number) * alpha;
  }
}

function storeBrightness({ width, color, alpha }: Layer, row: Float32Array, y: number): void {
  for (let to = y * width, at = 0; at < row.length; to++, at += 4) {
    const value =
      RED * (row[at] as number) + GREEN * (row[at + 1] as number) + BLUE * (row[at + 2] as number);
    color[to] = Math.min(MAX_VALUE, value * UNIT);
    if (alpha) alpha[to] = (row[at + 3] as number) * 255 + 0.5;
  }
}

function storeColor(
  { u, v }: { readonly u: Layer; readonly v: Layer },
  [above, below]: readonly [Float32Array, Float32Array],
  pair: number,
): void {
  for (let to = pair * u.width, at = 0; at < above.length; to++, at += 8) {
    const mean = (offset: number): number =>
      0.25 *
      ((above[at + offset] as number) +
        (above[at + offset + 4] as number) +
        (below[at + offset] as number) +
        (below[at + offset + 4] as number));
    const red = mean(0);
    const blue = mean(2);
    const y = RED * red + GREEN * mean(1) + BLUE * blue;
    u.color[to] = (blue - y) * U_PART * UNIT;
    v.color[to] = (red - y) * V_PART * UNIT;
    if (u.alpha) u.alpha[to] = mean(3) * 255 + 0.5;
  }
}

function withRanges(layer: Layer): Layer {
  const { width, height, color, alpha } = layer;
  const ranges = new Int32Array(height * 2);
  const isEmpty = (at: number): boolean => color[at] === 0 && (!alpha || alpha[at] === 0);
  const own = Array.from({ length: height }, (_, y) => {
    let first = y * width;
    let end = first + width;
    while (first < end && isEmpty(first)) first++;
    while (end > first && isEmpty(end - 1)) end--;
    return first === end ? { first: width, end: 0 } : { first: first - y * width, end: end - y * width };
  });
  for (const [y, { first, end }] of own.entries()) {
    const below = own[y + 1];
    ranges[y * 2] = Math.min(first, below?.first ?? width);
    ranges[y * 2 + 1] = Math.max(end, below?.end ?? 0);
  }
  return { ...layer, ranges };
}
