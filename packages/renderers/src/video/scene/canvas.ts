import type { Size } from '../planes.ts';
import type { Rgb } from '../rgb.ts';
import { paintTexture, type Texture } from '../texture.ts';

/** Something to paint a texture on. Four numbers a pixel: colors from 0 to 255, multiplied by the alpha, from 0 to 1. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export function newCanvas({ width, height }: Size): Canvas {
  return { width, height, data: new Float32Array(width * height * 4) };
}

export function toTexture({ width, height, data }: Canvas): Texture {
  return paintTexture(
    { width, height },
    (row, y) => row.set(data.subarray(y * width * 4, (y + 1) * width * 4)),
    { premultiplied: true },
  );
}

/** Puts a color over what is there. */
export function dab({ width, height, data }: Canvas, x: number, y: number, color: Rgb, alpha: number): void {
  if (x < 0 || y < 0 || x >= width || y >= height || alpha <= 0) return;
  const at = (y * width + x) * 4;
  const rest = 1 - alpha;
  data[at] = (data[at] as number) * rest + color[0] * alpha;
  data[at + 1] = (data[at + 1] as number) * rest + color[1] * alpha;
  data[at + 2] = (data[at + 2] as number) * rest + color[2] * alpha;
  data[at + 3] = (data[at + 3] as number) * rest + alpha;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A rectangle with smooth edges, at places between pixels too. */
export function fillBox(canvas: Canvas, box: Box, color: Rgb, alpha = 1): void {
  for (let y = Math.max(0, Math.floor(box.top)); y < Math.min(canvas.height, box.bottom); y++) {
    const down = Math.min(1, y + 1 - box.top, box.bottom - y);
    for (let x = Math.max(0, Math.floor(box.left)); x < Math.min(canvas.width, box.right); x++) {
      dab(canvas, x, y, color, alpha * down * Math.min(1, x + 1 - box.left, box.right - x));
    }
  }
}

/** A line with round smooth edges that may grow thinner. */
export function drawLine(
  canvas: Canvas,
  from: readonly [number, number],
  to: readonly [number, number],
  {
    color,
    thickness,
    end = thickness,
    alpha = 1,
  }: { color: Rgb; thickness: number; end?: number; alpha?: number },
): void {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const reach = Math.max(thickness, end) / 2 + 1;
  const length = dx * dx + dy * dy || 1e-6;
  const [left, right] = [Math.min(from[0], to[0]) - reach, Math.max(from[0], to[0]) + reach];
  const [top, bottom] = [Math.min(from[1], to[1]) - reach, Math.max(from[1], to[1]) + reach];
  for (let y = Math.max(0, Math.floor(top)); y <= Math.min(canvas.height - 1, bottom); y++) {
    for (let x = Math.max(0, Math.floor(left)); x <= Math.min(canvas.width - 1, right); x++) {
      const px = x + 0.5 - from[0];
      const py = y + 0.5 - from[1];
      const along = Math.min(1, Math.max(0, (px * dx + py * dy) / length));
      const away = Math.hypot(px - dx * along, py - dy * along);
      const half = (thickness + (end - thickness) * along) / 2;
      dab(canvas, x, y, color, alpha * Math.min(1, Math.max(0, half + 0.5 - away)));
    }
  }
}

/** A small picture that is put on canvases: alpha, and how light each place is. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly alpha: Float32Array;
  readonly shade: Float32Array;
}

export interface Stamp {
  /** The middle of its lower edge. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly flipped?: boolean | undefined;
  /** The colors for shade 0 and 1. */
  readonly dark: Rgb;
  readonly lit: Rgb;
  readonly alpha?: number | undefined;
}

export function stamp(
  canvas: Canvas,
  sprite: Sprite,
  { x, y, height, flipped = false, dark, lit, alpha = 1 }: Stamp,
): void {
  const scale = sprite.height / height;
  const width = sprite.width / scale;
  const left = x - width / 2;
  const top = y - height;
  for (let row = Math.max(0, Math.floor(top)); row < Math.min(canvas.height, Math.ceil(y)); row++) {
    for (
      let column = Math.max(0, Math.floor(left));
      column < Math.min(canvas.width, Math.ceil(left + width));
      column++
    ) {
      const across = (column + 0.5 - left) * scale;
      const found = readSprite(
        sprite,
        flipped ? sprite.width - across : across,
        (row + 0.5 - top) * scale,
        scale,
      );
      if (found.alpha < 0.01) continue;
      const { shade } = found;
      const color: Rgb = [
        dark[0] + (lit[0] - dark[0]) * shade,
        dark[1] + (lit[1] - dark[1]) * shade,
        dark[2] + (lit[2] - dark[2]) * shade,
      ];
      dab(canvas, column, row, color, found.alpha * alpha);
    }
  }
}

/** The mean of what one pixel of the canvas covers. */
function readSprite(
  { width, height, alpha, shade }: Sprite,
  x: number,
  y: number,
  scale: number,
): { alpha: number; shade: number } {
  const reach = Math.max(0.5, scale / 2);
  const step = Math.max(1, scale / 3);
  let cover = 0;
  let light = 0;
  let count = 0;
  for (let dy = y - reach + step / 2; dy < y + reach; dy += step) {
    for (let dx = x - reach + step / 2; dx < x + reach; dx += step) {
      count++;
      const column = Math.floor(dx);
      const row = Math.floor(dy);
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = row * width + column;
      cover += alpha[at] as number;
      light += (alpha[at] as number) * (shade[at] as number);
    }
  }
  return { alpha: count > 0 ? cover / count : 0, shade: cover > 0 ? light / cover : 0 };
}
