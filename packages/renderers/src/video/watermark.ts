import type sharp from 'sharp';
import { readPicture } from '../pixels/picture.ts';
import type { WatermarkRequest } from '../render-request.ts';
import { type Size, type StoredPlane, type StoredPlanes, toYuv } from './planes.ts';
import { wordmark } from './wordmark.ts';

/** Of the frame's width. */
const WIDTH = 0.14;
/** Of the frame's shorter side. */
const MARGIN = 0.03;
/** Of the frame's height: a tall mark is made smaller. */
const TALLEST = 0.3;
const OWN_STRENGTH = 0.62;
const GIVEN_STRENGTH = 0.85;

/** A mark at its place, as it is stored; alpha from 0 to 256. */
export interface Watermark {
  readonly y: MarkPlane;
  readonly u: MarkPlane;
  readonly v: MarkPlane;
}

interface MarkPlane {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly value: Uint8Array;
  readonly alpha: Uint16Array;
}

interface Pixels extends Size {
  /** Red, green, blue and alpha. */
  readonly rgba: Uint8Array;
  readonly strength: number;
}

export async function createWatermark({ image, corner }: WatermarkRequest, frame: Size): Promise<Watermark> {
  const mark = image === undefined ? await drawOwn(frame) : await readGiven(image, frame);
  const margin = Math.max(2, Math.round(Math.min(frame.width, frame.height) * MARGIN));
  // Even places, so that brightness and color of the mark lie on each other.
  const left = even(corner.endsWith('left') ? margin : frame.width - margin - mark.width);
  const top = even(corner.startsWith('top') ? margin : frame.height - margin - mark.height);
  return toPlanes(mark, Math.max(0, left), Math.max(0, top));
}

function even(value: number): number {
  return Math.floor(value / 2) * 2;
}

async function drawOwn({ width }: Size): Promise<Pixels> {
  const wide = Math.max(4, even(width * WIDTH));
  const { svg } = wordmark(wide);
  const { default: library } = await import('sharp');
  return { ...(await rawPixels(library(Buffer.from(svg)))), strength: OWN_STRENGTH };
}

async function rawPixels(picture: ReturnType<typeof sharp>): Promise<Size & { readonly rgba: Uint8Array }> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

async function readGiven(path: string, frame: Size): Promise<Pixels> {
  const { width, height, rgb, alpha } = await readPicture(path);
  const scale = Math.min((frame.width * WIDTH) / width, (frame.height * TALLEST) / height);
  const size = {
    width: Math.max(2, Math.round(width * scale)),
    height: Math.max(2, Math.round(height * scale)),
  };
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rgba.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    rgba[pixel * 4 + 3] = alpha ? (alpha[pixel] as number) : 255;
  }
  const { default: library } = await import('sharp');
  const resized = library(rgba, { raw: { width, height, channels: 4 } }).resize({ ...size, fit: 'fill' });
  return { ...(await rawPixels(resized)), strength: GIVEN_STRENGTH };
}

function toPlanes({ width, height, rgba, strength }: Pixels, left: number, top: number): Watermark {
  const y = newPlane(left, top, width, height);
  const half = [left / 2, top / 2, (width + 1) >> 1, (height + 1) >> 1] as const;
  const u = newPlane(...half);
  const v = newPlane(...half);
  const sums = new Float32Array(u.width * u.height * 4);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      const alpha = ((rgba[at * 4 + 3] as number) / 255) * strength;
      const color = toYuv([rgba[at * 4] as number, rgba[at * 4 + 1] as number, rgba[at * 4 + 2] as number]);
      y.value[at] = Math.round(16 + (color.y * 219) / 255);
      y.alpha[at] = Math.round(alpha * 256);
      const place = ((row >> 1) * u.width + (column >> 1)) * 4;
      sums[place] = (sums[place] as number) + alpha / 4;
      sums[place + 1] = (sums[place + 1] as number) + (alpha * color.u) / 4;
      sums[place + 2] = (sums[place + 2] as number) + (alpha * color.v) / 4;
    }
  }
  for (let at = 0; at < u.value.length; at++) {
    const alpha = sums[at * 4] as number;
    for (const [plane, channel] of [
      [u, 1],
      [v, 2],
    ] as const) {
      plane.value[at] =
        alpha > 0 ? Math.round(128 + (((sums[at * 4 + channel] as number) / alpha) * 224) / 255) : 128;
      plane.alpha[at] = Math.round(alpha * 256);
    }
  }
  return { y, u, v };
}

function newPlane(left: number, top: number, width: number, height: number): MarkPlane {
  return {
    left,
    top,
    width,
    height,
    value: new Uint8Array(width * height),
    alpha: new Uint16Array(width * height),
  };
}

/** Copies a frame with the mark burnt in. */
export function burnIn(target: StoredPlanes, source: StoredPlanes, size: Size, mark: Watermark): void {
  for (const name of ['y', 'u', 'v'] as const) {
    const shift = name === 'y' ? 0 : 1;
    copyPlane(target[name], source[name], { width: size.width >> shift, height: size.height >> shift });
    burnPlane(target[name], mark[name], { width: size.width >> shift, height: size.height >> shift });
  }
}

function copyPlane(target: StoredPlane, source: StoredPlane, { width, height }: Size): void {
  for (let row = 0; row < height; row++) {
    target.data.set(
      source.data.subarray(row * source.stride, row * source.stride + width),
      row * target.stride,
    );
  }
}

function burnPlane({ data, stride }: StoredPlane, mark: MarkPlane, frame: Size): void {
  for (let row = 0; row < Math.min(mark.height, frame.height - mark.top); row++) {
    for (let column = 0; column < Math.min(mark.width, frame.width - mark.left); column++) {
      const from = row * mark.width + column;
      const at = (mark.top + row) * stride + mark.left + column;
      const under = data[at] as number;
      data[at] = under + ((((mark.value[from] as number) - under) * (mark.alpha[from] as number)) >> 8);
    }
  }
}
