import { type ColorCoefficients, guidedByColor } from '../pixels/guided-filter.ts';
import { clamp, mapPlanes, mapValues, type Planes, quantile, type Size } from '../pixels/planes.ts';
import { enclosedBy } from '../skin/regions.ts';
import { fitSmooth } from './fit-smooth.ts';

/** A subject before a plain background. */
export interface Subject {
  /** 1 on the subject. At any pixel it is linear in the colors of that pixel, so it has the edges of the full picture. */
  readonly coefficients: ColorCoefficients;
  readonly matte: Float32Array;
  /** The plain background as it would be without the subject, sRGB from 0 to 1. */
  readonly background: Planes;
}

/** The largest deviation of a plain background from its smooth fit, and the smallest share of the frame that is plain. */
const MAX_NOISE = 0.022;
const MIN_PLAIN_FRAME = 0.86;
/** Shares of the picture that the subject covers. */
const MIN_AREA = 0.05;
const MAX_AREA = 0.8;
/** The share of the subject that clearly differs from the background. */
const MIN_CLEAR = 0.8;

/**
 * Separates a subject only before a background that is a smooth gradient along the top and the upper sides. Anything else would cut into
 * hair, furniture and hands.
 */
export function findSubject(planes: Planes, size: Size): Subject | undefined {
  const { width, height } = size;
  const frame = frameOf(size);
  const background = mapPlanes(planes, (plane) => fitSmooth(plane, size, frame));
  const apart = mapValues(planes, (value, at, channel) => value - (background[channel][at] ?? 0));
  const off = apart[0].map((red, at) => Math.hypot(red, apart[1][at] ?? 0, apart[2][at] ?? 0));
  const onFrame = Float32Array.from(frame, (at) => off[at] ?? 0);
  const noise = quantile(onFrame, 0.5);
  const limit = Math.max(0.04, 4 * noise);
  const plain = onFrame.reduce((count, value) => count + (value < limit ? 1 : 0), 0) / onFrame.length;
  if (noise > MAX_NOISE || plain < MIN_PLAIN_FRAME) return undefined;
  // Parts of the subject that look like the background are enclosed by it, or they are not the subject.
  const mask = enclosedBy(
    off.map((value) => (value >= limit ? 1 : 0)),
    size,
  );
  const area = mask.reduce((sum, value) => sum + value, 0);
  const clear = mask.reduce((sum, value, at) => sum + (value > 0 && (off[at] ?? 0) > 2 * limit ? 1 : 0), 0);
  if (area < MIN_AREA * mask.length || area > MAX_AREA * mask.length || clear < MIN_CLEAR * area)
    return undefined;
  const radius = Math.max(2, Math.round(Math.max(width, height) / 110));
  const coefficients = guidedByColor(planes, mask, size, { radius, epsilon: 0.0004 });
  const matte = mask.map((_, at) =>
    clamp(
      (coefficients.red[at] ?? 0) * (planes[0][at] ?? 0) +
        (coefficients.green[at] ?? 0) * (planes[1][at] ?? 0) +
        (coefficients.blue[at] ?? 0) * (planes[2][at] ?? 0) +
        (coefficients.offset[at] ?? 0),
      0,
      1,
    ),
  );
  return { coefficients, matte, background };
}

/** Pixels along the top and the upper two thirds of the sides. */
function frameOf({ width, height }: Size): Int32Array {
  const rim = Math.max(1, Math.round(Math.min(width, height) * 0.05));
  const places: number[] = [];
  for (let y = 0; y < height * 0.66; y++) {
    for (let x = 0; x < width; x++) {
      if (y < rim || x < rim || x >= width - rim) places.push(y * width + x);
    }
  }
  return Int32Array.from(places);
}
