const LEVELS = 256;

const round = Math.fround;
const [RED, GREEN, BLUE] = [round(0.2126), round(0.7152), round(0.0722)];

/** How many pixels have each of 256 levels. */
export function createHistograms() {
  const [luminance, red, green, blue] = [newCounts(), newCounts(), newCounts(), newCounts()];
  return {
    luminance,
    red,
    green,
    blue,
    /** Counts more pixels. Gray ones count in every color. */
    add(pixels: Float32Array, channels: number): void {
      const [second, third] = channels < 3 ? [0, 0] : [1, 2];
      for (let index = 0; index < pixels.length; index += channels) {
        const r = pixels[index] as number;
        const g = pixels[index + second] as number;
        const b = pixels[index + third] as number;
        count(red, r);
        count(green, g);
        count(blue, b);
        count(luminance, round(round(RED * r) + round(GREEN * g)) + round(BLUE * b));
      }
    },
  };
}

function newCounts(): Uint32Array {
  return new Uint32Array(LEVELS);
}

/** NaN counts as black, as in ComfyUI. */
function count(levels: Uint32Array, value: number): void {
  const scaled = round(round(value) * 255);
  const level = scaled >= 255 ? 255 : scaled > 0 ? Math.trunc(scaled) : 0;
  levels[level] = (levels[level] as number) + 1;
}
