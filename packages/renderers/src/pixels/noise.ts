import { seededRandom } from '../video/random.ts';

/** The sides of the two tiles are coprime, so that their sum does not visibly repeat. */
const SIDES = [256, 193] as const;

/** Rows of noise with mean 0 and deviation 1. `size` is the deviation of a grain in pixels. The next row reuses the array. */
export function noiseRows(seed: number, size: number, width: number): (y: number) => Float32Array {
  const [large, small] = SIDES;
  const [one, other] = [makeTile(seed * 2, large, size), makeTile(seed * 2 + 1, small, size)];
  const row = new Float32Array(width);
  return (y) => {
    const [first, second] = [(y % large) * large, (y % small) * small];
    for (let x = 0, a = 0, b = 0; x < width; x++) {
      row[x] = ((one[first + a] ?? 0) + (other[second + b] ?? 0)) * Math.SQRT1_2;
      a = a + 1 === large ? 0 : a + 1;
      b = b + 1 === small ? 0 : b + 1;
    }
    return row;
  };
}

function makeTile(seed: number, side: number, size: number): Float32Array {
  const random = seededRandom(seed);
  // The sum of four random numbers is close enough to a normal distribution.
  const white = new Float32Array(side * side).map(() => random() + random() + random() + random() - 2);
  const blurred = turnedBlur(turnedBlur(white, side, size), side, size);
  const scale = 1 / Math.sqrt(blurred.reduce((sum, value) => sum + value * value, 0) / blurred.length);
  return blurred.map((value) => value * scale);
}

/** Blurs along rows, wrapping around, and swaps rows and columns. */
function turnedBlur(values: Float32Array, side: number, deviation: number): Float32Array {
  const reach = Math.max(1, Math.ceil(deviation * 2.5));
  const bell = Array.from({ length: 2 * reach + 1 }, (_, step) =>
    Math.exp(-((step - reach) ** 2) / (2 * deviation ** 2)),
  );
  const turned = new Float32Array(values.length);
  const around = new Float32Array(side + 2 * reach);
  for (let y = 0; y < side; y++) {
    const row = values.subarray(y * side, (y + 1) * side);
    around.set(row.subarray(-reach));
    around.set(row, reach);
    around.set(row.subarray(0, reach), reach + side);
    for (let x = 0; x < side; x++) {
      let sum = 0;
      for (let step = 0; step < bell.length; step++) sum += (bell[step] ?? 0) * (around[x + step] ?? 0);
      turned[x * side + y] = sum;
    }
  }
  return turned;
}
