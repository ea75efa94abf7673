import { portrait } from '@atelier/renderers/samples';
import sharp from 'sharp';

/** Painted at this size and enlarged, because every pixel of it takes microseconds. */
const PAINTED_EDGE = 640;
const GRAIN = 18;

let painted: Uint8Array | undefined;

/** A portrait with the grain of a camera, square, as JPEG. The same every time. */
export async function photo({ edge, quality }: { readonly edge: number; readonly quality: number }) {
  const small = { width: PAINTED_EDGE, height: PAINTED_EDGE, channels: 3 } as const;
  painted ??= portrait({ ...small, seed: 7, skinTone: 'light' }).rgb;
  const pixels = await sharp(painted, { raw: small }).resize(edge, edge).raw().toBuffer();
  addGrain(pixels);
  return await sharp(pixels, { raw: { width: edge, height: edge, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

function addGrain(pixels: Uint8Array): void {
  let state = 1;
  for (let at = 0; at < pixels.length; at += 3) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const grain = ((state >>> 24) / 255 - 0.5) * GRAIN;
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = Math.min(255, Math.max(0, (pixels[channel] ?? 0) + grain));
    }
  }
}
