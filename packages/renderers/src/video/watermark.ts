import { loadSharp } from '@atelier/nodes/sharp';
import { readPicture, toSharp } from '../pixels/picture.ts';
import type { WatermarkRequest } from '../render-request.ts';
import { type Size, type StoredPlanes, toYuv } from './planes.ts';

/** Of the frame's width. */
const WIDTH = 0.14;
/** Of the frame's shorter side. */
const MARGIN = 0.03;
/** Of the frame's height. A taller mark is made smaller. */
const MAX_HEIGHT = 0.3;
type PlaneName = 'y' | 'u' | 'v';

const OWN_STRENGTH = 0.62;
const GIVEN_STRENGTH = 0.85;

export type Watermark = Awaited<ReturnType<typeof createWatermark>>;
type Mark = Awaited<ReturnType<typeof drawMark>>;

/** A lens within a ring and the name, drawn as lines so that no font is needed. */
const OWN_MARK = `<svg xmlns="http://www.w3.org/2000/svg" width="WIDTH" viewBox="-0.16 -1.16 5.5 1.32">${[
  'stroke="#000" stroke-opacity="0.28" stroke-width="0.2"',
  'stroke="#fff" stroke-width="0.095"',
]
  .map(
    (pen) =>
      `<g fill="none" ${pen} stroke-linecap="round" stroke-linejoin="round"><circle cx="0.5" cy="-0.5" r="0.43"/><path d="M0.5 -0.93 q0.24 0.43 0 0.86 q-0.24 -0.43 0 -0.86 M1.34 0 l0.36 -1 l0.36 1 m-0.59 -0.34 h0.46 M2.42 -0.9 v0.74 q0 0.16 0.19 0.14 m-0.34 -0.6 h0.34 M2.81 -0.33 h0.51 q-0.01 -0.29 -0.25 -0.29 q-0.26 0.02 -0.26 0.32 q0.01 0.3 0.28 0.3 q0.15 -0.01 0.22 -0.12 M3.64 -1 v1 M4.02 -0.62 v0.62 m0 -0.86 v0.01 M4.32 -0.33 h0.51 q-0.01 -0.29 -0.25 -0.29 q-0.26 0.02 -0.26 0.32 q0.01 0.3 0.28 0.3 q0.15 -0.01 0.22 -0.12 M5.06 -0.62 v0.62 m0 -0.36 q0.05 -0.26 0.22 -0.24"/></g>`,
  )
  .join('')}</svg>`;

/** A mark at its place, as it is stored; alpha from 0 to 256. */
export async function createWatermark({ image, corner }: WatermarkRequest, frame: Size) {
  const mark = await drawMark(image, frame);
  const margin = Math.max(2, Math.round(Math.min(frame.width, frame.height) * MARGIN));
  // Even places, so that brightness and color of the mark are aligned.
  const left = even(corner.endsWith('left') ? margin : frame.width - margin - mark.width);
  const top = even(corner.startsWith('top') ? margin : frame.height - margin - mark.height);
  const strength = image === undefined ? OWN_STRENGTH : GIVEN_STRENGTH;
  const plane = (name: PlaneName) => toPlane(mark, name, { left, top, strength });
  return { y: plane('y'), u: plane('u'), v: plane('v') };
}

function even(value: number): number {
  return Math.max(0, Math.floor(value / 2) * 2);
}

async function drawMark(path: string | undefined, frame: Size) {
  const sharp = await loadSharp();
  const wide = Math.max(4, even(frame.width * WIDTH));
  // Read here first: what is wrong with a given mark is the request's fault.
  const given = path === undefined ? undefined : await readPicture(path);
  const picture = given ? await toSharp(given) : sharp(Buffer.from(OWN_MARK.replace('WIDTH', String(wide))));
  const { data, info } = await sharp(await picture.png().toBuffer())
    .resize({ width: wide, height: Math.max(2, Math.round(frame.height * MAX_HEIGHT)), fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

/** One plane of the mark. Each of its pixels is the mean of what it covers, weighted by alpha. */
function toPlane(
  mark: Mark,
  name: PlaneName,
  { left, top, strength }: { readonly left: number; readonly top: number; readonly strength: number },
) {
  const cell = name === 'y' ? 1 : 2;
  const width = Math.ceil(mark.width / cell);
  const height = Math.ceil(mark.height / cell);
  const alphas = new Float32Array(width * height);
  const sums = new Float32Array(width * height);
  for (let at = 0; at < mark.width * mark.height; at++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = mark.rgba.subarray(at * 4, at * 4 + 4);
    const to = Math.floor(Math.floor(at / mark.width) / cell) * width + Math.floor((at % mark.width) / cell);
    alphas[to] = (alphas[to] as number) + alpha / 255 / (cell * cell);
    sums[to] = (sums[to] as number) + (toYuv([red, green, blue])[name] * alpha) / 255 / (cell * cell);
  }
  const [middle, range] = name === 'y' ? [16, 219] : [128, 224];
  const value = Uint8Array.from(sums, (sum, at) =>
    Math.round(middle + ((sum / Math.max(1e-6, alphas[at] as number)) * range) / 255),
  );
  const alpha = Uint16Array.from(alphas, (cover) => Math.round(cover * strength * 256));
  return { left: left / cell, top: top / cell, width, value, alpha };
}

/** Copies a frame with the mark burnt in. */
export function burnIn(target: StoredPlanes, source: StoredPlanes, size: Size, mark: Watermark): void {
  for (const name of ['y', 'u', 'v'] as const) {
    const shift = name === 'y' ? 0 : 1;
    const [to, from] = [target[name], source[name]];
    const width = size.width >> shift;
    for (let row = 0; row < size.height >> shift; row++)
      to.data.set(from.data.subarray(row * from.stride, row * from.stride + width), row * to.stride);
    const { left, top, width: wide, value, alpha } = mark[name];
    for (const [at, part] of alpha.entries()) {
      const row = top + Math.floor(at / wide);
      const column = left + (at % wide);
      if (column >= width || row >= size.height >> shift) continue;
      const place = row * to.stride + column;
      const under = to.data[place] as number;
      to.data[place] = under + ((((value[at] as number) - under) * part) >> 8);
    }
  }
}
