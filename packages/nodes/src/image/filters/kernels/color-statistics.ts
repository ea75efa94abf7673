import { inRuns } from '../in-runs.ts';
import { dot, eigenSymmetric, type Matrix, multiply, scaleColumns, transposed } from './small-matrix.ts';

const EPSILON = 1e-6;

export interface ColorStatistics {
  readonly mean: readonly number[];
  readonly covariance: Matrix;
}

export function statisticsOf(lab: Float32Array, checkpoint: () => void): ColorStatistics {
  const pixels = lab.length / 3;
  const sums = new Float64Array(3);
  inRuns(pixels, checkpoint, (from, to) => addSums(lab.subarray(from * 3, to * 3), sums));
  const mean = [...sums].map((sum) => sum / pixels);
  const products = new Float64Array(6);
  inRuns(pixels, checkpoint, (from, to) => addProducts(lab.subarray(from * 3, to * 3), mean, products));
  const [aa, ab, ac, bb, bc, cc] = [...products].map((sum) => sum / pixels) as Six;
  return {
    mean,
    covariance: [
      [aa, ab, ac],
      [ab, bb, bc],
      [ac, bc, cc],
    ],
  };
}

type Three = [number, number, number];
type Six = [number, number, number, number, number, number];
type Nine = [...Three, ...Six];

function addSums(lab: Float32Array, sums: Float64Array): void {
  let [a, b, c] = sums as unknown as Three;
  for (let index = 0; index < lab.length; index += 3) {
    a += lab[index] as number;
    b += lab[index + 1] as number;
    c += lab[index + 2] as number;
  }
  sums.set([a, b, c]);
}

function addProducts(lab: Float32Array, mean: readonly number[], products: Float64Array): void {
  const [first, second, third] = mean as unknown as Three;
  let [aa, ab, ac, bb, bc, cc] = products as unknown as Six;
  for (let index = 0; index < lab.length; index += 3) {
    const a = (lab[index] as number) - first;
    const b = (lab[index + 1] as number) - second;
    const c = (lab[index + 2] as number) - third;
    aa += a * a;
    ab += a * b;
    ac += a * c;
    bb += b * b;
    bc += b * c;
    cc += c * c;
  }
  products.set([aa, ab, ac, bb, bc, cc]);
}

/** The statistics of all pixels of several pictures of one size. */
export function pooled(statistics: readonly ColorStatistics[]): ColorStatistics {
  const count = statistics.length;
  const indices = [0, 1, 2];
  const average = (of: (item: ColorStatistics) => number): number =>
    statistics.reduce((sum, item) => sum + of(item), 0) / count;
  const mean = indices.map((channel) => average((item) => item.mean[channel] as number));
  const covariance = indices.map((row) =>
    indices.map((column) =>
      average(
        (item) =>
          (item.covariance[row]?.[column] as number) +
          ((item.mean[row] as number) - (mean[row] as number)) *
            ((item.mean[column] as number) - (mean[column] as number)),
      ),
    ),
  );
  return { mean, covariance };
}

export interface ColorMap {
  readonly matrix: Matrix;
  readonly offset: readonly number[];
}

/** Gives each channel the mean and deviation of the reference. */
export function reinhard(source: ColorStatistics, reference: ColorStatistics): ColorMap {
  const deviation = ({ covariance }: ColorStatistics, channel: number): number =>
    Math.max(EPSILON, Math.sqrt(covariance[channel]?.[channel] as number));
  const matrix = [0, 1, 2].map((row) =>
    [0, 1, 2].map((column) => (row === column ? deviation(reference, row) / deviation(source, row) : 0)),
  );
  return { matrix, offset: offsetFor(matrix, source, reference) };
}

/** The linear map between both distributions that moves colors least (Monge–Kantorovich). */
export function mongeKantorovich(source: ColorStatistics, reference: ColorStatistics): ColorMap {
  const { values, vectors } = eigenSymmetric(source.covariance);
  const deviations = values.map((value) => Math.max(EPSILON, Math.sqrt(Math.max(0, value))));
  const scaled = scaleColumns(vectors, deviations);
  const between = eigenSymmetric(multiply(multiply(transposed(scaled), reference.covariance), scaled));
  const roots = between.values.map((value) => Math.sqrt(Math.max(0, value)));
  const half = multiply(scaleColumns(between.vectors, roots), transposed(between.vectors));
  const unscaled = scaleColumns(
    vectors,
    deviations.map((deviation) => 1 / deviation),
  );
  const matrix = multiply(multiply(unscaled, half), transposed(unscaled));
  return { matrix, offset: offsetFor(matrix, source, reference) };
}

function offsetFor(matrix: Matrix, source: ColorStatistics, reference: ColorStatistics): readonly number[] {
  return matrix.map((row, channel) => (reference.mean[channel] as number) - dot(row, source.mean));
}

/** Moves every color towards the mapped one; a strength of 1 goes all the way. */
export function applyColorMap(lab: Float32Array, { matrix, offset }: ColorMap, strength: number): void {
  const [aa, ab, ac, ba, bb, bc, ca, cb, cc] = matrix.flat() as Nine;
  const [oa, ob, oc] = offset as unknown as Three;
  const kept = 1 - strength;
  for (let index = 0; index < lab.length; index += 3) {
    const a = lab[index] as number;
    const b = lab[index + 1] as number;
    const c = lab[index + 2] as number;
    lab[index] = kept * a + strength * (aa * a + ab * b + ac * c + oa);
    lab[index + 1] = kept * b + strength * (ba * a + bb * b + bc * c + ob);
    lab[index + 2] = kept * c + strength * (ca * a + cb * b + cc * c + oc);
  }
}
