import { inRuns } from '../in-runs.ts';
import { dot, eigenSymmetric, type Matrix, multiply, scaleColumns, transposed } from './small-matrix.ts';

const EPSILON = 1e-6;

export interface ColorStatistics {
  readonly mean: readonly number[];
  readonly covariance: Matrix;
}

/** Of one picture of three channels. */
export function statisticsOf(lab: Float32Array, checkpoint: () => void): ColorStatistics {
  const pixels = lab.length / 3;
  const meanOf = (valueAt: (at: number) => number): number => {
    let sum = 0;
    inRuns(pixels, checkpoint, (from, to) => {
      for (let at = from * 3; at < to * 3; at += 3) sum += valueAt(at);
    });
    return sum / pixels;
  };
  const channels = [0, 1, 2];
  const mean = channels.map((channel) => meanOf((at) => lab[at + channel] as number));
  const covariance = channels.map((row) =>
    channels.map((column) => {
      const [ofRow, ofColumn] = [mean[row] as number, mean[column] as number];
      return meanOf((at) => ((lab[at + row] as number) - ofRow) * ((lab[at + column] as number) - ofColumn));
    }),
  );
  return { mean, covariance };
}

/** Of all pixels of pictures of one size. */
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

/** What is done to a color: a matrix, then an offset. */
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

/** The linear map between both distributions that moves colors least (Monge and Kantorovich). */
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

/** Moves every color of three channels towards what the map makes of it; a strength of 1 goes all the way. */
export function applyColorMap(lab: Float32Array, { matrix, offset }: ColorMap, strength: number): void {
  const [aa, ab, ac, ba, bb, bc, ca, cb, cc] = matrix.flat() as Numbers;
  const [oa, ob, oc] = offset as unknown as Numbers;
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

type Numbers = [number, number, number, number, number, number, number, number, number];
