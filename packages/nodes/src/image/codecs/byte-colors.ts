import type { DecodedPictures } from './decoded-pictures.ts';

/** Converts CMYK without a profile as Pillow does, in whole numbers. */
export function cmykToRgb(decoded: DecodedPictures): DecodedPictures {
  const { samples, channels, width, height, frames } = decoded;
  const shift = samples instanceof Uint16Array ? 8 : 0;
  const rgb = new Uint8Array(width * height * frames * 3);
  for (let from = 0, to = 0; to < rgb.length; from += channels, to += 3) {
    const white = 255 - ((samples[from + 3] ?? 0) >> shift);
    for (let channel = 0; channel < 3; channel++) {
      const share = ((samples[from + channel] ?? 0) >> shift) * white + 128;
      rgb[to + channel] = white - (((share >> 8) + share) >> 8);
    }
  }
  return { ...decoded, channels: 3, samples: rgb };
}

/** The first frame as RGBA in 8 bits. */
export function rgbaBytes({ samples, channels, width, height }: DecodedPictures): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(width * height * 4).fill(255);
  const shift = samples instanceof Uint16Array ? 8 : 0;
  const colors = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  const wanted = channels % 2 === 0 ? [...colors, channels - 1] : colors;
  wanted.forEach((channel, to) => {
    for (let pixel = 0; pixel < width * height; pixel++) {
      rgba[pixel * 4 + to] = (samples[pixel * channels + channel] ?? 0) >> shift;
    }
  });
  return rgba;
}
