export interface BayerOptions {
  readonly width: number;
  readonly order: number;
  readonly colors: number;
  readonly checkpoint: () => void;
}

/** Adds an ordered pattern, so that colors between two of the palette are mixed from both. */
export function addBayer(pixels: Uint8Array, { width, order, colors, checkpoint }: BayerOptions): void {
  const pattern = bayerPattern(order, 512 / colors);
  const mask = order - 1;
  for (let start = 0, y = 0; start < pixels.length; start += width * 3, y++) {
    const line = (y & mask) * order;
    for (let x = 0, index = start; x < width; x++, index += 3) {
      const offset = pattern[line + (x & mask)] as number;
      for (let channel = index; channel < index + 3; channel++) {
        const value = Math.fround((pixels[channel] as number) + offset);
        pixels[channel] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
    if ((y & 15) === 0) checkpoint();
  }
}

function bayerPattern(order: number, spread: number): Float32Array {
  const scale = Math.fround(spread);
  return Float32Array.from({ length: order * order }, (_, index) => {
    const level = bayerLevel(index % order, Math.floor(index / order), order);
    return Math.fround(scale * level) + 0.5;
  });
}

/** From −0.5 to 0.5: coarse steps by the low bits of the place, finer ones by the high bits. */
function bayerLevel(x: number, y: number, order: number): number {
  if (order === 1) return 0;
  const half = order / 2;
  const quadrant = [-1.5, 0.5, 1.5, -0.5][(y < half ? 0 : 2) + (x < half ? 0 : 1)] as number;
  return bayerLevel(x % half, y % half, half) + quadrant / (order * order);
}
