import sharp from 'sharp';
import type { Image } from '../../values/image.ts';
import type { Received } from './scripted-service.ts';

export const KEY = 'atelier_the-secret-key-of-ada';

/** A picture of one gray: told apart by its level, and exact in 8 bits. */
export function gray(levels: readonly number[], { width = 6, height = 4 } = {}): Image {
  const data = Float32Array.from(
    { length: levels.length * width * height * 3 },
    (_, at) => (levels[Math.floor(at / (width * height * 3))] ?? 0) / 255,
  );
  return { batch: levels.length, height, width, channels: 3, data };
}

export function levelsOf({ batch, data }: Image): number[] {
  const size = data.length / batch;
  return Array.from({ length: batch }, (_, index) => Math.round((data[index * size] ?? 0) * 255));
}

/** The bytes of a picture that came inline. */
export function inlinePicture(value: unknown): Buffer {
  const [, base64] = /^data:image\/png;base64,(.*)$/.exec(String(value)) ?? [];
  if (base64 === undefined) throw new Error(`no inline picture: ${String(value).slice(0, 50)}`);
  return Buffer.from(base64, 'base64');
}

/** A generation: the picture that came, as its negative. */
export async function negativeOf({ request }: { readonly request: Received }): Promise<Uint8Array> {
  return await sharp(inlinePicture(request.json['image'])).negate().png().toBuffer();
}
