import type { Image } from '../../../values/image.ts';

/** The edge of the small picture that is hashed; each of its pixels is a bit. */
export const HASH_EDGE = 8;
export const HASH_BITS = HASH_EDGE * HASH_EDGE;

export type AverageHash = readonly boolean[];

export function averageHash({ data, channels }: Image): AverageHash {
  const byte = (index: number): number => Math.round((data[index] ?? 0) * 255);
  const levels = Array.from({ length: data.length / channels }, (_, pixel) => {
    const at = pixel * channels;
    if (channels < 3) return byte(at);
    return (19595 * byte(at) + 38470 * byte(at + 1) + 7471 * byte(at + 2) + 0x8000) >> 16;
  });
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  return levels.map((level) => level > mean);
}

export function differingBits(first: AverageHash, second: AverageHash): number {
  return first.reduce((count, bit, index) => count + (bit === second[index] ? 0 : 1), 0);
}
