import type { DrawnText } from './draw-text.ts';
import type { Rgba } from './parse-color.ts';

/** Copies the visible part of the text to rows of the picture, from `top` on. */
export function place(drawn: DrawnText, target: Uint8Array, width: number, top: number): void {
  const from = Math.max(0, -drawn.left);
  const to = Math.min(drawn.width, width - drawn.left);
  for (let row = 0; row < drawn.height; row++) {
    const start = (drawn.top + row - top) * width + drawn.left + from;
    if (start < 0 || start >= target.length || to <= from) continue;
    target.set(drawn.ink.subarray(row * drawn.width + from, row * drawn.width + to), start);
  }
}

/** Grows ink by a disk. The border of the disk is enough, because no letter is thinner than its radius. */
export function grow(
  ink: Uint8Array,
  target: Uint8Array,
  { width, radius, checkpoint }: { width: number; radius: number; checkpoint: () => void },
): void {
  const height = ink.length / width;
  target.set(ink);
  for (let down = -radius; down <= radius; down++) {
    const across = Math.round(Math.sqrt(radius * radius - down * down));
    for (let y = Math.max(0, -down); y < Math.min(height, height - down); y++) {
      const to = (y + down) * width;
      for (let x = 0; x < width; x++) {
        const value = ink[y * width + x] as number;
        if (value === 0) continue;
        if (x >= across && value > (target[to + x - across] as number)) target[to + x - across] = value;
        if (x + across < width && value > (target[to + x + across] as number))
          target[to + x + across] = value;
      }
    }
    checkpoint();
  }
}

/** Paints letters in their color over a black outline. */
export function paint(
  { letters, outlined }: { readonly letters: Uint8Array; readonly outlined: Uint8Array },
  hasOutline: boolean,
  color: Rgba,
  source: Float32Array,
  target: Float32Array,
  channels: number,
): void {
  const colors = Math.min(channels, 3);
  for (let pixel = 0, index = 0; pixel < letters.length; pixel++, index += channels) {
    const letter = letters[pixel] as number;
    const under = hasOutline ? (outlined[pixel] as number) : 0;
    const alpha = Math.fround(byteShare(under * (255 - letter) + color[3] * letter) / 255);
    if (alpha === 0) continue;
    // As in Pillow, the first ink on a transparent pixel counts in full.
    const cover = under === 0 && letter > 0 ? 255 : letter;
    const rest = Math.fround(1 - alpha);
    const below = channels === 4 ? (source[index + 3] as number) : 1;
    const result = channels === 4 ? Math.fround(alpha + Math.fround(rest * below)) : 1;
    for (let channel = 0; channel < colors; channel++) {
      const own = Math.fround(Math.fround(byteShare((color[channel] as number) * cover) / 255) * alpha);
      const mixed = own + Math.fround(rest * (source[index + channel] as number)) * below;
      target[index + channel] =
        channels === 4 ? Math.min(1, Math.max(0, result > 1e-5 ? mixed / result : 0)) : mixed;
    }
    if (channels === 4) target[index + 3] = result;
  }
}

/** A product of two bytes as a byte, rounded as in Pillow. */
function byteShare(product: number): number {
  const rounded = product + 128;
  return ((rounded >> 8) + rounded) >> 8;
}
