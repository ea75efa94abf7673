import { oklabFromLinear } from '../../pixels/color.ts';
import { smoothstep } from '../field.ts';
import type { Overview } from './overview.ts';

/** How far apart, in Oklab, what is above and below the line must be. */
const LEAST_STEP = 0.05;

/** 1 below the line where a table or a floor begins behind the subject, 0 everywhere if there is none. */
export function findGround(
  { width, height, light }: Overview,
  matte: Float32Array,
  confidence: number,
): Float32Array {
  const ground = new Float32Array(width * height);
  if (confidence === 0) return ground;
  const rows = Array.from({ length: height }, (_, y) => rowColor(light, matte, y * width, width));
  const reach = Math.max(1, Math.round(height * 0.06));
  let line = 0;
  let most = LEAST_STEP;
  for (let y = Math.round(height * 0.4); y < Math.round(height * 0.94) - reach; y++) {
    const above = meanOf(rows.slice(y - reach, y));
    const below = meanOf(rows.slice(y, y + reach));
    const step = Math.hypot(above[0] - below[0], 2.5 * (above[1] - below[1]), 2.5 * (above[2] - below[2]));
    if (step <= most) continue;
    most = step;
    line = y;
  }
  if (line === 0 || !standsOn(matte, width, height, line)) return ground;
  for (let y = 0; y < height; y++)
    ground.fill(smoothstep(line - 1.5, line + 1.5, y), y * width, (y + 1) * width);
  return ground;
}

type Row = readonly [number, number, number];

/** The mean color of the background in a row. */
function rowColor(light: Overview['light'], matte: Float32Array, from: number, width: number): Row {
  let red = 0;
  let green = 0;
  let blue = 0;
  let share = 1e-4;
  for (let at = from; at < from + width; at += 2) {
    const weight = 1 - (matte[at] ?? 0);
    red += weight * (light.red[at] ?? 0);
    green += weight * (light.green[at] ?? 0);
    blue += weight * (light.blue[at] ?? 0);
    share += weight;
  }
  return oklabFromLinear([red / share, green / share, blue / share]);
}

function meanOf(rows: readonly Row[]): Row {
  const sum = rows.reduce(
    ([light, first, second], row) => [light + row[0], first + row[1], second + row[2]],
    [0, 0, 0],
  );
  return [sum[0] / rows.length, sum[1] / rows.length, sum[2] / rows.length];
}

/** The subject reaches below the line but ends above the border: a person cut off by the border stands on nothing seen. */
function standsOn(matte: Float32Array, width: number, height: number, line: number): boolean {
  const share = (y: number): number => {
    let sum = 0;
    for (let at = y * width; at < (y + 1) * width; at++) sum += matte[at] ?? 0;
    return sum / width;
  };
  return share(line) > 0.04 && share(height - 1) < 0.35;
}
