import type { Image } from '../../values/image.ts';

/** Lays RGBA bytes over the first picture, in float32 as ComfyUI does. `mask` gets their opacity. */
export function paintOver(
  { data: ground, width, channels }: Image,
  strokes: Uint8Array,
  target: Float32Array,
  mask: Float32Array,
  checkpoint: () => void,
): void {
  const green = channels < 3 ? 0 : 1;
  const blue = channels < 3 ? 0 : 2;
  for (let pixel = 0, from = 0; pixel < mask.length; pixel++, from += channels) {
    if (pixel % (width * 16) === 0) checkpoint();
    const at = pixel * 4;
    const alpha = Math.fround((strokes[at + 3] ?? 0) / 255);
    const rest = Math.fround(1 - alpha);
    mask[pixel] = alpha;
    target[pixel * 3] = mix(strokes[at] ?? 0, alpha, ground[from] ?? 0, rest);
    target[pixel * 3 + 1] = mix(strokes[at + 1] ?? 0, alpha, ground[from + green] ?? 0, rest);
    target[pixel * 3 + 2] = mix(strokes[at + 2] ?? 0, alpha, ground[from + blue] ?? 0, rest);
  }
}

function mix(stroke: number, alpha: number, ground: number, rest: number): number {
  return Math.fround(Math.fround(stroke / 255) * alpha) + Math.fround(ground * rest);
}
