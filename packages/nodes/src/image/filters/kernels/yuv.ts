const round = Math.fround;

// The weights of ComfyUI in float32.
const [RED, GREEN, BLUE] = [round(0.299), round(0.587), round(0.114)];
const [FROM_BLUE, FROM_RED] = [round(0.564), round(0.713)];
const [RED_V, GREEN_V, GREEN_U, BLUE_U] = [round(1.403), round(0.714), round(0.344), round(1.773)];

/** Writes brightness and the two color differences as gray pictures of three channels. */
export function toYuv(
  source: Float32Array,
  channels: number,
  [y, u, v]: readonly [Float32Array, Float32Array, Float32Array],
): void {
  for (let from = 0, to = 0; to < y.length; from += channels, to += 3) {
    const red = source[from] as number;
    const blue = source[from + 2] as number;
    const warm = round(round(RED * red) + round(GREEN * (source[from + 1] as number)));
    const bright = round(warm + round(BLUE * blue));
    const blueness = round(round(blue - bright) * FROM_BLUE) + 0.5;
    const redness = round(round(red - bright) * FROM_RED) + 0.5;
    for (let channel = to; channel < to + 3; channel++) {
      y[channel] = bright;
      u[channel] = blueness;
      v[channel] = redness;
    }
  }
}

/** Writes the mean of the channels of each pixel, and returns the target. */
export function channelMean(source: Float32Array, channels: number, target: Float32Array): Float32Array {
  for (let index = 0, from = 0; index < target.length; index++) {
    let sum = 0;
    for (const end = from + channels; from < end; from++) sum = round(sum + (source[from] as number));
    target[index] = sum / channels;
  }
  return target;
}

/** Builds a picture of three channels from planes of brightness and color differences. */
export function fromYuv(y: Float32Array, u: Float32Array, v: Float32Array, target: Float32Array): void {
  for (let index = 0, to = 0; index < y.length; index++, to += 3) {
    const bright = y[index] as number;
    const blueness = round((u[index] as number) - 0.5);
    const redness = round((v[index] as number) - 0.5);
    target[to] = unit(bright + round(RED_V * redness));
    target[to + 1] = unit(round(bright - round(GREEN_V * redness)) - round(GREEN_U * blueness));
    target[to + 2] = unit(bright + round(BLUE_U * blueness));
  }
}

function unit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
