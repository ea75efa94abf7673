import { join } from 'node:path';
import sharp, { type Blend, type Sharp } from 'sharp';

const PORTRAIT = join(import.meta.dirname, '../packages/renderers/test/fixtures/eileen-collins.jpg');
const CELLS = 12;

/** Square, as JPEG, with the grain of a camera. */
export async function portrait(edge: number): Promise<Buffer> {
  return await withGrain(sharp(PORTRAIT), edge, 'overlay');
}

/** Compress about as a photograph does. */
export async function softShapes(edge: number): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: CELLS * CELLS * 3 }, (_, n) => 40 + ((n * 7919) % 140));
  const shapes = sharp(pixels, { raw: { width: CELLS, height: CELLS, channels: 3 } });
  return await withGrain(shapes, edge, 'soft-light');
}

async function withGrain(picture: Sharp, edge: number, blend: Blend): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 15 } as const;
  const grain = { create: { width: edge, height: edge, channels: 3, background: 'gray', noise } } as const;
  const grainy = picture.resize(edge, edge).composite([{ input: grain, blend }]);
  return await grainy.jpeg({ quality: 90 }).toBuffer();
}
