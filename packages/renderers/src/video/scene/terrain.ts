import { clamp, lerp, smoothstep } from '../curves.ts';
import { mix, type Rgb } from '../rgb.ts';
import { type Canvas, newCanvas } from './canvas.ts';
import { type Site, textureSize } from './site.ts';

/** Land as it is: how high every place is, and what it looks like there. Lengths are in heights of the frame at distance 1. */
export interface Land {
  /** `x` to the right, `z` away from the camera. */
  heightAt(x: number, z: number): number;
  /** `steep` is 0 on flat ground and towards 1 on a wall; `grain` is fine noise from -1 to 1. */
  colorAt(place: Place): Rgb;
  /** How high the camera is above height 0. */
  readonly eye: number;
  readonly from: number;
  readonly to: number;
  /** The color of distance takes over by this much at distance 1. */
  readonly haze: number;
  /** Steps from the front to the back. */
  readonly steps: number;
  /** How rough the light falls: 1 shows every slope fully. */
  readonly relief: number;
}

export interface Place {
  readonly x: number;
  readonly z: number;
  readonly height: number;
  readonly steep: number;
}

export interface LandPicture {
  readonly canvas: Canvas;
  readonly left: number;
  readonly top: number;
  /** Places that can be seen, to put things on. Coordinates on the canvas. */
  readonly spots: readonly Spot[];
  readonly depth: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly height: number;
  readonly steep: number;
  /** How much light falls on it, 0 to 1. */
  readonly lit: number;
}

/** Paints land the way it is seen, column by column from the front to the back. */
export function paintLand(
  site: Site,
  land: Land,
  { below = 0, depth }: { readonly below?: number; readonly depth: number },
): LandPicture {
  const { size, density, horizon, light } = site;
  const room = site.room(depth);
  const left = -room.x;
  const top = -room.y;
  const canvas = newCanvas(
    textureSize(site, { width: size.width + 2 * room.x, height: size.height + 2 * room.y }),
  );
  const { width, height, data } = canvas;
  const distances = Float32Array.from(
    { length: land.steps },
    (_, step) => land.from * (land.to / land.from) ** (step / (land.steps - 1)),
  );
  const heights = sampleHeights(site, land, distances, width);
  const horizonRow = (horizon - top) * density;
  const unit = size.height * density;
  const spots: Spot[] = [];
  const toSun = sunDirection(site);

  for (let column = 0; column < width; column++) {
    const ray = (column - width / 2) / unit;
    let reached = height;
    let previous: Rgb | undefined;
    for (let step = 0; step < land.steps; step++) {
      const z = distances[step] as number;
      const at = step * width + column;
      const here = heights[at] as number;
      const row = horizonRow + ((land.eye - here) / z) * unit;
      if (step === 0) reached = Math.min(height, row + below * unit);
      if (row >= reached) {
        continue;
      }
      const slope = slopeAt(heights, distances, { step, column, width, unit });
      const lit = shine(slope, toSun, land.relief);
      const steep = 1 - 1 / Math.hypot(1, slope.x, slope.z);
      const bare = land.colorAt({ x: ray * z, z, height: here, steep });
      const far = 1 - Math.exp(-z * land.haze);
      const shaded = shadeOf(site, bare, lit);
      const color = mix(shaded, light.haze, clamp(far + smoothstep(0.05, -0.02, here) * far * 0.25));
      fillColumn(data, { width, column, from: row, to: reached, top: color, bottom: previous ?? color });
      if (step % 3 === 0 && column % 2 === 0) spots.push({ x: column, y: row, z, height: here, steep, lit });
      reached = row;
      previous = color;
      if (reached <= 0) break;
    }
  }
  return { canvas, left, top, spots, depth };
}

/** Land is lit by the sun and, from everywhere, by the sky. */
export function shadeOf({ light, isCel }: Site, color: Rgb, lit: number): Rgb {
  const { sunlight, ambient } = light;
  const share = isCel ? (lit > 0.62 ? 1 : lit > 0.38 ? 0.55 : 0.12) : lit;
  return [
    (color[0] * (ambient[0] * 0.62 + sunlight[0] * share)) / 255,
    (color[1] * (ambient[1] * 0.62 + sunlight[1] * share)) / 255,
    (color[2] * (ambient[2] * 0.62 + sunlight[2] * share)) / 255,
  ];
}

function sampleHeights(site: Site, land: Land, distances: Float32Array, width: number): Float32Array {
  const unit = site.size.height * site.density;
  const heights = new Float32Array(distances.length * width);
  for (let step = 0, at = 0; step < distances.length; step++) {
    const z = distances[step] as number;
    for (let column = 0; column < width; column++, at++)
      heights[at] = land.heightAt(((column - width / 2) / unit) * z, z);
  }
  return heights;
}

interface Slope {
  readonly x: number;
  readonly z: number;
}

function slopeAt(
  heights: Float32Array,
  distances: Float32Array,
  {
    step,
    column,
    width,
    unit,
  }: { readonly step: number; readonly column: number; readonly width: number; readonly unit: number },
): Slope {
  const z = distances[step] as number;
  const right = Math.min(width - 1, column + 1);
  const before = Math.max(0, column - 1);
  const back = Math.min(distances.length - 1, step + 1);
  const front = Math.max(0, step - 1);
  return {
    x:
      ((heights[step * width + right] as number) - (heights[step * width + before] as number)) /
      (((right - before) * z) / unit),
    z:
      ((heights[back * width + column] as number) - (heights[front * width + column] as number)) /
      ((distances[back] as number) - (distances[front] as number)),
  };
}

interface Direction {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** From the side where the sun stands; never quite from behind, or all land would be black. */
function sunDirection({ light }: Site): Direction {
  const x = light.sun.x < 0.5 ? -0.85 : 0.85;
  const y = 0.45 + Math.max(0, light.sun.height) * 1.2;
  const z = -0.25;
  const length = Math.hypot(x, y, z);
  return { x: x / length, y: y / length, z: z / length };
}

function shine({ x, z }: Slope, sun: Direction, relief: number): number {
  const nx = -x * relief;
  const nz = -z * relief;
  const dot = (nx * sun.x + sun.y + nz * sun.z) / Math.hypot(nx, 1, nz);
  return clamp(lerp(0.08, 1, dot));
}

/** From the top, whose row is only partly covered, down to where the column was filled already. */
function fillColumn(
  data: Float32Array,
  fill: {
    readonly width: number;
    readonly column: number;
    readonly from: number;
    readonly to: number;
    readonly top: Rgb;
    readonly bottom: Rgb;
  },
): void {
  const { width, column, from, to, top, bottom } = fill;
  const first = Math.max(0, Math.floor(from));
  const last = Math.ceil(to);
  const height = data.length / 4 / width;
  const length = Math.max(1, to - from);
  for (let row = first; row < Math.min(height, last); row++) {
    const part = clamp((row + 0.5 - from) / length);
    const cover = row === first ? clamp(first + 1 - from) : 1;
    const at = (row * width + column) * 4;
    const had = data[at + 3] as number;
    // A row that is partly filled from below keeps that part.
    const alpha = row === last - 1 && had > 0 ? 1 - had : cover;
    if (alpha <= 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const color = lerp(top[channel] as number, bottom[channel] as number, part);
      data[at + channel] = had > 0 ? (data[at + channel] as number) + color * alpha : color * alpha;
    }
    data[at + 3] = Math.min(1, had + alpha);
  }
}
