/** CIE Lab of sRGB under D65, with the constants of ComfyUI. */

type Matrix = readonly [number, number, number, number, number, number, number, number, number];

const TO_XYZ: Matrix = [
  0.412453, 0.35758, 0.180423, 0.212671, 0.71516, 0.072169, 0.019334, 0.119193, 0.950227,
];
const TO_RGB = inverse(TO_XYZ);
const [WHITE_X, WHITE_Z] = [0.95047, 1.08883];
/** Below this, a line replaces the cube root. */
const THRESHOLD = 0.008856;
const ROOT_THRESHOLD = 0.2068966;
const SLOPE = 7.787;
const OFFSET = 4 / 29;

/** Writes L, a, b of the first three channels of each pixel. */
export function toLab(source: Float32Array, channels: number, lab: Float32Array): void {
  const [xr, xg, xb, yr, yg, yb, zr, zg, zb] = TO_XYZ;
  for (let from = 0, to = 0; to < lab.length; from += channels, to += 3) {
    const red = linear(source[from] as number);
    const green = linear(source[from + 1] as number);
    const blue = linear(source[from + 2] as number);
    const x = root((xr * red + xg * green + xb * blue) / WHITE_X);
    const y = root(yr * red + yg * green + yb * blue);
    const z = root((zr * red + zg * green + zb * blue) / WHITE_Z);
    lab[to] = 116 * y - 16;
    lab[to + 1] = 500 * (x - y);
    lab[to + 2] = 200 * (y - z);
  }
}

/** Writes red, green and blue from 0 to 1 into the first three channels of each pixel. */
export function fromLab(lab: Float32Array, channels: number, target: Float32Array): void {
  const [rx, ry, rz, gx, gy, gz, bx, by, bz] = TO_RGB;
  for (let from = 0, to = 0; from < lab.length; from += 3, to += channels) {
    const level = ((lab[from] as number) + 16) / 116;
    const x = cube((lab[from + 1] as number) / 500 + level) * WHITE_X;
    const y = cube(level);
    const z = cube(Math.max(0, level - (lab[from + 2] as number) / 200)) * WHITE_Z;
    target[to] = encoded(rx * x + ry * y + rz * z);
    target[to + 1] = encoded(gx * x + gy * y + gz * z);
    target[to + 2] = encoded(bx * x + by * y + bz * z);
  }
}

function linear(value: number): number {
  return value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92;
}

function encoded(value: number): number {
  const curved = value > 0.0031308 ? 1.055 * value ** (1 / 2.4) - 0.055 : 12.92 * value;
  return curved < 0 ? 0 : curved > 1 ? 1 : curved;
}

function root(value: number): number {
  return value > THRESHOLD ? Math.cbrt(value) : SLOPE * value + OFFSET;
}

function cube(value: number): number {
  return value > ROOT_THRESHOLD ? value * value * value : (value - OFFSET) / SLOPE;
}

function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [first, second, third] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * first + b * second + c * third;
  const [p, q, r] = [first / determinant, (c * h - b * i) / determinant, (b * f - c * e) / determinant];
  const [s, t, u] = [second / determinant, (a * i - c * g) / determinant, (c * d - a * f) / determinant];
  const [v, w, x] = [third / determinant, (b * g - a * h) / determinant, (a * e - b * d) / determinant];
  return [p, q, r, s, t, u, v, w, x];
}
