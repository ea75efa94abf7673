/** Pillow looks colors up in cells of four values a side, by the lowest corner of the cell. */
const CELLS = 64;
const UNKNOWN = -1;

/** Finds the index of the nearest color in the palette; the first of equally near ones. */
type NearestColor = (red: number, green: number, blue: number) => number;

function nearestIn(palette: Uint8Array): NearestColor {
  const known = new Int16Array(CELLS ** 3).fill(UNKNOWN);
  return (red, green, blue) => {
    const cell = ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
    const index = known[cell] as number;
    if (index !== UNKNOWN) return index;
    const found = search(palette, red & 0xfc, green & 0xfc, blue & 0xfc);
    known[cell] = found;
    return found;
  };
}

function search(palette: Uint8Array, red: number, green: number, blue: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let entry = 0; entry < palette.length; entry += 3) {
    const a = red - (palette[entry] as number);
    const b = green - (palette[entry + 1] as number);
    const c = blue - (palette[entry + 2] as number);
    const distance = a * a + b * b + c * c;
    if (distance >= least) continue;
    nearest = entry / 3;
    least = distance;
  }
  return nearest;
}

export interface MapOptions {
  readonly width: number;
  readonly palette: Uint8Array;
  readonly checkpoint: () => void;
}

export function mapNearest(pixels: Uint8Array, { width, palette, checkpoint }: MapOptions): void {
  const nearest = nearestIn(palette);
  for (let start = 0, y = 0; start < pixels.length; start += width * 3, y++) {
    for (let index = start; index < start + width * 3; index += 3) {
      const entry =
        3 * nearest(pixels[index] as number, pixels[index + 1] as number, pixels[index + 2] as number);
      pixels[index] = palette[entry] as number;
      pixels[index + 1] = palette[entry + 1] as number;
      pixels[index + 2] = palette[entry + 2] as number;
    }
    if ((y & 7) === 0) checkpoint();
  }
}

/**
 * Floyd–Steinberg dithering as in Pillow: rows run from left to right, and sums of errors are divided by 16 towards zero. At
 * the end of a row, Pillow stores three numbers of blue where those of the three channels belong.
 */
export function mapFloydSteinberg(pixels: Uint8Array, { width, palette, checkpoint }: MapOptions): void {
  const nearest = nearestIn(palette);
  // The errors for the next row. Each row starts one pixel later, so that it reads the pixel above.
  const errors = new Int32Array((width + 1) * 3);
  for (let start = 0, y = 0; start < pixels.length; start += width * 3, y++) {
    // By channel: the errors to the right and below, and the last error.
    let [aheadR, aheadG, aheadB] = [0, 0, 0];
    let [belowR, belowG, belowB] = [0, 0, 0];
    let [lastR, lastG, lastB] = [0, 0, 0];
    for (let x = 0, at = start; x < width * 3; x += 3, at += 3) {
      const red = clip((pixels[at] as number) + sixteenth(aheadR + (errors[x + 3] as number)));
      const green = clip((pixels[at + 1] as number) + sixteenth(aheadG + (errors[x + 4] as number)));
      const blue = clip((pixels[at + 2] as number) + sixteenth(aheadB + (errors[x + 5] as number)));
      const entry = 3 * nearest(red, green, blue);
      const errorR = red - (pixels[at] = palette[entry] as number);
      const errorG = green - (pixels[at + 1] = palette[entry + 1] as number);
      const errorB = blue - (pixels[at + 2] = palette[entry + 2] as number);
      errors[x] = 3 * errorR + belowR;
      errors[x + 1] = 3 * errorG + belowG;
      errors[x + 2] = 3 * errorB + belowB;
      belowR = 5 * errorR + lastR;
      belowG = 5 * errorG + lastG;
      belowB = 5 * errorB + lastB;
      lastR = errorR;
      lastG = errorG;
      lastB = errorB;
      aheadR = 7 * errorR;
      aheadG = 7 * errorG;
      aheadB = 7 * errorB;
    }
    errors[width * 3] = belowB;
    errors[width * 3 + 1] = lastB;
    errors[width * 3 + 2] = lastB;
    if ((y & 7) === 0) checkpoint();
  }
}

function sixteenth(sum: number): number {
  return (sum / 16) | 0;
}

function clip(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
