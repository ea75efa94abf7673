export type CurvePoint = readonly [x: number, y: number];

export interface Curve {
  readonly interpolation: 'monotone_cubic' | 'linear';
  readonly points: readonly CurvePoint[];
  readonly slopes: readonly number[];
}

declare module '@atelier/engine' {
  interface SocketTypes {
    CURVE: Curve;
  }
}

export function createCurve(points: readonly CurvePoint[], interpolation: Curve['interpolation']): Curve {
  const sorted = points.toSorted(([a], [b]) => a - b);
  return { interpolation, points: sorted, slopes: interpolation === 'linear' ? [] : monotoneSlopes(sorted) };
}

/** Fritsch–Carlson: the means of neighboring secants, limited so that the curve does not overshoot. */
function monotoneSlopes(points: readonly CurvePoint[]): readonly number[] {
  if (points.length < 2) return points.map(() => 0);
  const secants = points.slice(1).map(([x, y], index) => {
    const [before, from] = points[index] as CurvePoint;
    return x === before ? 0 : (y - from) / (x - before);
  });
  const slopes = points.map((_, index) => {
    const left = secants[index - 1];
    const right = secants[index];
    if (left === undefined || right === undefined) return left ?? right ?? 0;
    return left * right <= 0 ? 0 : (left + right) / 2;
  });
  for (const [index, secant] of secants.entries()) {
    const alpha = secant === 0 ? 0 : (slopes[index] as number) / secant;
    const beta = secant === 0 ? 0 : (slopes[index + 1] as number) / secant;
    const squares = alpha * alpha + beta * beta;
    if (secant !== 0 && squares <= 9) continue;
    const limit = secant === 0 ? 0 : 3 / Math.sqrt(squares);
    slopes[index] = limit * alpha * secant;
    slopes[index + 1] = limit * beta * secant;
  }
  return slopes;
}

/** The height of the curve at `x`. It is level beyond its ends. */
export function curveAt({ interpolation, points, slopes }: Curve, x: number): number {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return 0;
  if (x <= first[0]) return first[1];
  if (x >= last[0]) return last[1];
  const high = points.findIndex(([each]) => each > x);
  const [left, from] = points[high - 1] as CurvePoint;
  const [right, to] = points[high] as CurvePoint;
  const width = right - left;
  const t = (x - left) / width;
  if (interpolation === 'linear') return from + (to - from) * t;
  const [square, cube] = [t * t, t * t * t];
  return (
    (2 * cube - 3 * square + 1) * from +
    (cube - 2 * square + t) * width * (slopes[high - 1] as number) +
    (3 * square - 2 * cube) * to +
    (cube - square) * width * (slopes[high] as number)
  );
}
