import { boxMean, product, type Size } from './planes.ts';

export interface GuidedOptions {
  readonly radius: number;
  /** Edges with a smaller variance in the guide are not kept. */
  readonly epsilon: number;
}

/** The output at any pixel is `slope * guide + offset`. Both are smooth, so that a small plane serves a large guide. */
export type GuidedCoefficients = ReturnType<typeof guidedCoefficients>;

/** He, Sun, Tang: Guided Image Filtering. The linear model of the input in terms of the guide, around every pixel. */
export function guidedCoefficients(
  guide: Float32Array,
  input: Float32Array,
  size: Size,
  { radius, epsilon }: GuidedOptions,
) {
  const meanGuide = boxMean(guide, size, radius);
  const meanInput = input === guide ? meanGuide : boxMean(input, size, radius);
  const meanSquare = boxMean(product(guide, guide), size, radius);
  const meanProduct = input === guide ? meanSquare : boxMean(product(guide, input), size, radius);
  const slope = new Float32Array(guide.length);
  const offset = new Float32Array(guide.length);
  for (let at = 0; at < guide.length; at++) {
    const ofGuide = meanGuide[at] ?? 0;
    const ofInput = meanInput[at] ?? 0;
    const variance = (meanSquare[at] ?? 0) - ofGuide * ofGuide;
    const covariance = (meanProduct[at] ?? 0) - ofGuide * ofInput;
    const steep = covariance / (variance + epsilon);
    slope[at] = steep;
    offset[at] = ofInput - steep * ofGuide;
  }
  return { slope: boxMean(slope, size, radius), offset: boxMean(offset, size, radius) };
}

/** Smooths the input, but keeps the edges of the guide. */
export function guidedFilter(
  guide: Float32Array,
  input: Float32Array,
  size: Size,
  options: GuidedOptions,
): Float32Array {
  const { slope, offset } = guidedCoefficients(guide, input, size, options);
  for (let at = 0; at < guide.length; at++)
    offset[at] = (slope[at] ?? 0) * (guide[at] ?? 0) + (offset[at] ?? 0);
  return offset;
}

/** The output at any pixel is the sum of the slopes times red, green and blue of the guide, and the offset. */
export type ColorCoefficients = ReturnType<typeof guidedByColor>;

/** A guide in color keeps edges even where both sides are equally bright. */
export function guidedByColor(
  guide: readonly [red: Float32Array, green: Float32Array, blue: Float32Array],
  input: Float32Array,
  size: Size,
  { radius, epsilon }: GuidedOptions,
) {
  const mean = (plane: Float32Array): Float32Array => boxMean(plane, size, radius);
  const [r, g, b] = guide;
  const means = [mean(r), mean(g), mean(b), mean(input)] as const;
  const squares = [mean(product(r, r)), mean(product(g, g)), mean(product(b, b))] as const;
  const mixed = [mean(product(r, g)), mean(product(r, b)), mean(product(g, b))] as const;
  const shared = [mean(product(r, input)), mean(product(g, input)), mean(product(b, input))] as const;
  const plane = (): Float32Array => new Float32Array(input.length);
  const found = { red: plane(), green: plane(), blue: plane(), offset: plane() };
  for (let at = 0; at < input.length; at++) {
    const red = means[0][at] ?? 0;
    const green = means[1][at] ?? 0;
    const blue = means[2][at] ?? 0;
    const value = means[3][at] ?? 0;
    const rr = (squares[0][at] ?? 0) - red * red + epsilon;
    const gg = (squares[1][at] ?? 0) - green * green + epsilon;
    const bb = (squares[2][at] ?? 0) - blue * blue + epsilon;
    const rg = (mixed[0][at] ?? 0) - red * green;
    const rb = (mixed[1][at] ?? 0) - red * blue;
    const gb = (mixed[2][at] ?? 0) - green * blue;
    const rv = (shared[0][at] ?? 0) - red * value;
    const gv = (shared[1][at] ?? 0) - green * value;
    const bv = (shared[2][at] ?? 0) - blue * value;
    // The inverse of the symmetric matrix of covariances, by its cofactors.
    const one = gg * bb - gb * gb;
    const two = gb * rb - rg * bb;
    const three = rg * gb - gg * rb;
    const whole = 1 / (rr * one + rg * two + rb * three);
    const slopeRed = (one * rv + two * gv + three * bv) * whole;
    const slopeGreen = (two * rv + (rr * bb - rb * rb) * gv + (rg * rb - rr * gb) * bv) * whole;
    const slopeBlue = (three * rv + (rg * rb - rr * gb) * gv + (rr * gg - rg * rg) * bv) * whole;
    found.red[at] = slopeRed;
    found.green[at] = slopeGreen;
    found.blue[at] = slopeBlue;
    found.offset[at] = value - slopeRed * red - slopeGreen * green - slopeBlue * blue;
  }
  return {
    red: mean(found.red),
    green: mean(found.green),
    blue: mean(found.blue),
    offset: mean(found.offset),
  };
}
