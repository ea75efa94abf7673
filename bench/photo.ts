import { join } from 'node:path';
import sharp from 'sharp';

const PORTRAIT = join(import.meta.dirname, '../packages/renderers/test/fixtures/eileen-collins.jpg');
const GRAIN = 18;

/** A portrait with the grain of a camera, square, as JPEG. The same every time. */
export async function photo({ edge, quality }: { readonly edge: number; readonly quality: number }) {
  const pixels = await sharp(PORTRAIT).resize(edge, edge).raw().toBuffer();
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
