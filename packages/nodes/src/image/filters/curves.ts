import { defineNode, link, optional, output, valueError } from '@atelier/engine';
import { picture } from '../../values/image.ts';
import { inRuns } from './in-runs.ts';
import { type Curve, type CurvePoint, createCurve } from './kernels/curve.ts';
import { createHistograms } from './kernels/histograms.ts';

declare module '@atelier/engine' {
  interface SocketTypes {
    HISTOGRAM: readonly number[];
  }
}

export const curveEditor = defineNode({
  type: 'CurveEditor',
  title: 'Curve Editor',
  category: 'utilities',
  inputs: {
    curve: link('CURVE', {
      socketless: true,
      default: {
        points: [
          [0, 0],
          [1, 1],
        ],
        interpolation: 'monotone_cubic',
      },
    }),
    histogram: optional(link('HISTOGRAM')),
  },
  outputs: [output('CURVE', { name: 'curve' })],
  run({ curve, histogram }) {
    const outputs = [parseCurve(curve)] as const;
    return histogram ? { outputs, ui: { histogram } } : outputs;
  },
});

/** Accepts a curve of another node, and the points that an editor sends, with or without an interpolation. */
function parseCurve(raw: unknown): Curve {
  const given = raw as { readonly points?: unknown; readonly interpolation?: unknown } | null;
  const points = Array.isArray(raw) ? raw : given?.points;
  if (!Array.isArray(points)) throw valueError('A curve needs a list of points, each with x and y.');
  const interpolation = given?.interpolation === 'linear' ? 'linear' : 'monotone_cubic';
  return createCurve(points.map(parsePoint), interpolation);
}

function parsePoint(raw: unknown): CurvePoint {
  const [x, y] = Array.isArray(raw) && raw.length === 2 ? raw.map(Number) : [];
  if (x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y)) return [x, y];
  throw valueError(`A point of a curve has two numbers, x and y, not ${JSON.stringify(raw)}.`);
}

export const imageHistogram = defineNode({
  type: 'ImageHistogram',
  title: 'Image Histogram',
  category: 'utilities',
  inputs: { image: link('IMAGE') },
  outputs: [
    output('HISTOGRAM', { name: 'rgb' }),
    output('HISTOGRAM', { name: 'luminance' }),
    output('HISTOGRAM', { name: 'red' }),
    output('HISTOGRAM', { name: 'green' }),
    output('HISTOGRAM', { name: 'blue' }),
  ],
  run({ image }, { checkpoint }) {
    const { width, height, channels } = image;
    const histograms = createHistograms();
    inRuns(width * height, checkpoint, (from, to) =>
      histograms.add(picture(image, 0).subarray(from * channels, to * channels), channels),
    );
    const { luminance, red, green, blue } = histograms;
    const rgb = Array.from(red, (count, level) =>
      Math.floor((count + (green[level] as number) + (blue[level] as number)) / 3),
    );
    return [rgb, [...luminance], [...red], [...green], [...blue]];
  },
});
