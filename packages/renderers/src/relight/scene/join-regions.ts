import type { Size } from '../../pixels/box-blur.ts';
import { type Features, misfit, modelColors } from './color-model.ts';

/** Shares of the picture. */
const SPECK = 0.004;
const HOLE = 0.005;
const LARGEST_HOLE = 0.1;
/** Of the largest piece. */
const BESIDE = 0.12;
/** How unlike the open background a hole must be to belong to the subject. */
const UNLIKE = 7;

/** The subject in one piece, or few: specks are dropped, and holes filled unless the background is seen through. */
export function joinRegions(likely: Float32Array, features: Features, size: Size): Float32Array {
  const regions = label(likely, size);
  const total = likely.length;
  const open = likely.map((_, at) => {
    const region = regions.of[at] ?? 0;
    return regions.inside[region] === 0 && regions.touches[region] === 1 ? 1 : 0;
  });
  const background = modelColors(features, open, 6);
  const strangeness = new Float64Array(regions.areas.length);
  for (let at = 0; at < total; at++) {
    const region = regions.of[at] ?? 0;
    if (regions.inside[region] === 1 || regions.touches[region] === 1) continue;
    strangeness[region] =
      (strangeness[region] ?? 0) + misfit(background, features, at) / (regions.areas[region] ?? 1);
  }
  const largest = Math.max(0, ...regions.areas.filter((_, n) => regions.inside[n] === 1));
  const keep = regions.areas.map((area, n) => {
    if (regions.inside[n] === 1) return area >= largest * BESIDE && area >= total * SPECK;
    if (regions.touches[n] === 1) return false;
    return area < total * HOLE || (area < total * LARGEST_HOLE && (strangeness[n] ?? 0) > UNLIKE);
  });
  return likely.map((value, at) => {
    const region = regions.of[at] ?? 0;
    if (keep[region] !== true) return 0;
    return regions.inside[region] === 1 ? Math.min(1, value * 1.2) : 1;
  });
}

interface Regions {
  readonly of: Int32Array;
  readonly areas: readonly number[];
  readonly inside: readonly number[];
  /** 1: reaches the border of the picture. */
  readonly touches: readonly number[];
}

function label(likely: Float32Array, { width, height }: Size): Regions {
  const kinds = new Uint8Array(likely.length);
  for (let at = 0; at < kinds.length; at++) kinds[at] = (likely[at] ?? 0) > 0.5 ? 1 : 0;
  const of = new Int32Array(kinds.length).fill(-1);
  const regions = { of, areas: [] as number[], inside: [] as number[], touches: [] as number[] };
  const stack = new Int32Array(kinds.length);
  for (let start = 0; start < kinds.length; start++) {
    if (of[start] !== -1) continue;
    const region = regions.areas.length;
    const kind = kinds[start] ?? 0;
    let depth = 0;
    let area = 0;
    let touches = 0;
    const reach = (next: number): void => {
      if (of[next] !== -1 || kinds[next] !== kind) return;
      of[next] = region;
      stack[depth++] = next;
    };
    reach(start);
    while (depth > 0) {
      const at = stack[--depth] ?? 0;
      const x = at % width;
      const y = (at - x) / width;
      area++;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touches = 1;
      if (x > 0) reach(at - 1);
      if (x < width - 1) reach(at + 1);
      if (y > 0) reach(at - width);
      if (y < height - 1) reach(at + width);
    }
    regions.areas.push(area);
    regions.inside.push(kind);
    regions.touches.push(touches);
  }
  return regions;
}
