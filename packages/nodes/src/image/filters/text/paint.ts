import type { Rgba } from './parse-color.ts';
import type { TextMasks } from './rasterize.ts';

export interface Ink {
  readonly color: Rgba;
  /** Whether there is a black line around the letters. */
  readonly outline: boolean;
}

/** Writes bytes of red, green, blue and alpha for every pixel of the masks. */
export function paint(
  { letters, outlined }: Pick<TextMasks, 'letters' | 'outlined'>,
  { color, outline }: Ink,
  layer: Uint8Array,
): void {
  for (let index = 0, to = 0; index < letters.length; index++, to += 4) {
    const letter = letters[index] as number;
    const under = outline ? (outlined[index] as number) : 0;
    // As in Pillow, the first ink on a transparent pixel counts in full, however little of it there is.
    const cover = under === 0 && letter > 0 ? 255 : letter;
    layer[to] = byteShare(color[0] * cover);
    layer[to + 1] = byteShare(color[1] * cover);
    layer[to + 2] = byteShare(color[2] * cover);
    layer[to + 3] = byteShare(under * (255 - letter) + color[3] * letter);
  }
}

/** A product of two bytes as a byte, rounded as Pillow rounds. */
function byteShare(product: number): number {
  const rounded = product + 128;
  return ((rounded >> 8) + rounded) >> 8;
}

/** Puts the layer over pixels of the same rows. */
export function overlay(
  layer: Uint8Array,
  source: Float32Array,
  target: Float32Array,
  channels: number,
): void {
  const colors = Math.min(channels, 3);
  for (let index = 0, from = 0; from < layer.length; index += channels, from += 4) {
    const alpha = Math.fround((layer[from + 3] as number) / 255);
    if (alpha === 0) continue;
    const rest = Math.fround(1 - alpha);
    const below = channels === 4 ? (source[index + 3] as number) : 1;
    const result = channels === 4 ? Math.fround(alpha + Math.fround(rest * below)) : 1;
    for (let channel = 0; channel < colors; channel++) {
      const own = Math.fround(Math.fround((layer[from + channel] as number) / 255) * alpha);
      const mixed = own + Math.fround(rest * (source[index + channel] as number)) * below;
      target[index + channel] = channels === 4 ? unit(result > 1e-5 ? mixed / result : 0) : mixed;
    }
    if (channels === 4) target[index + 3] = result;
  }
}

function unit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
