import { clamp, lerp, smoothstep } from '../../pixels/planes.ts';
import { mix, type Rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { type Element, type Site, standing, textureSize } from './site.ts';

/** Lengths are in heights of the frame at distance 1. */
export interface Land {
  /** `x` to the right, `z` away from the camera. */
  heightAt(x: number, z: number): number;
  colorAt(place: Place): Rgb;
  /** The height of the camera. */
  readonly eye: number;
  readonly from: number;
  readonly to: number;
  /** The share of haze at distance 1. */
  readonly haze: number;
  /** Steps from the front to the back. */
  readonly steps: number;
  /** 1 shows every slope fully. */
  readonly relief: number;
}

export interface Place {
  readonly x: number;
  readonly z: number;
  readonly height: number;
  /** 0 on flat ground, towards 1 on a wall. */
  readonly steep: number;
}

interface LandOptions {
  readonly depth: number;
  /** How far it is painted below its nearest row, in heights of the frame. */
  readonly below: number;
}

/** Paints land as it is seen, column by column from the front to the back. */
export function createLand(site: Site, land: Land, { depth, below }: LandOptions): Element {
  const { size, density, horizon, light } = site;
  const room = site.room(depth);
  const pixels = textureSize(density, {
    width: size.width + 2 * room.x,
    height: size.height + 2 * room.y,
  });
  const { width, height } = pixels;
  const data = new Float32Array(width * height * 4);
  const unit = size.height * density;
  const distances = Float32Array.from(
    { length: land.steps },
    (_, step) => land.from * (land.to / land.from) ** (step / (land.steps - 1)),
  );
  const heights = new Float32Array(land.steps * width);
  for (const [step, z] of distances.entries()) {
    for (let column = 0; column < width; column++)
      heights[step * width + column] = land.heightAt(((column - width / 2) / unit) * z, z);
  }
  const horizonRow = (horizon + room.y) * density;
  const sun = sunDirection(site);
  for (let column = 0; column < width; column++) {
    let reached = height;
    let previous: Rgb | undefined;
    for (let step = 0; step < land.steps && reached > 0; step++) {
      const z = distances[step] as number;
      const here = heights[step * width + column] as number;
      const row = horizonRow + ((land.eye - here) / z) * unit;
      if (step === 0) reached = Math.min(height, row + below * unit);
      if (row >= reached) continue;
      const slope = slopeAt(heights, distances, { step, column, unit });
      const steep = 1 - 1 / Math.hypot(1, slope.x, slope.z);
      const bare = land.colorAt({ x: ((column - width / 2) / unit) * z, z, height: here, steep });
      const far = 1 - Math.exp(-z * land.haze);
      const shaded = shadeOf(site, bare, shine(slope, sun, land.relief));
      const color = mix(shaded, light.haze, clamp(far + smoothstep(0.05, -0.02, here) * far * 0.25));
      fillColumn(data, { width, column, from: row, to: reached, top: color, bottom: previous ?? color });
      reached = row;
      previous = color;
    }
  }
  const texture = paintTexture(
    pixels,
    (row, y) => row.set(data.subarray(y * width * 4, (y + 1) * width * 4)),
    { premultiplied: true },
  );
  return standing(site, { texture, left: -room.x, top: -room.y, depth });
}

/** Light from the sun, and ambient light from the sky. */
function shadeOf({ light }: Site, color: Rgb, lit: number): Rgb {
  const { sunlight, ambient } = light;
  return [
    (color[0] * (ambient[0] * 0.62 + sunlight[0] * lit)) / 255,
    (color[1] * (ambient[1] * 0.62 + sunlight[1] * lit)) / 255,
    (color[2] * (ambient[2] * 0.62 + sunlight[2] * lit)) / 255,
  ];
}

type Slope = ReturnType<typeof slopeAt>;

function slopeAt(
  heights: Float32Array,
  distances: Float32Array,
  { step, column, unit }: { readonly step: number; readonly column: number; readonly unit: number },
) {
  const width = heights.length / distances.length;
  const z = distances[step] as number;
  const right = Math.min(width - 1, column + 1);
  const left = Math.max(0, column - 1);
  const back = Math.min(distances.length - 1, step + 1);
  const front = Math.max(0, step - 1);
  const heightAt = (row: number, at: number): number => heights[row * width + at] as number;
  return {
    x: (heightAt(step, right) - heightAt(step, left)) / (((right - left) * z) / unit),
    z:
      (heightAt(back, column) - heightAt(front, column)) /
      ((distances[back] as number) - (distances[front] as number)),
  };
}

/** From the side of the sun, but never quite from behind, or all land would be black. */
function sunDirection({ light }: Site): Rgb {
  const [x, y, z] = [light.sun.x < 0.5 ? -0.85 : 0.85, 0.45 + Math.max(0, light.sun.height) * 1.2, -0.25];
  return scaled([x, y, z], 1 / Math.hypot(x, y, z));
}

function shine({ x, z }: Slope, sun: Rgb, relief: number): number {
  const nx = -x * relief;
  const nz = -z * relief;
  return clamp(lerp(0.08, 1, (nx * sun[0] + sun[1] + nz * sun[2]) / Math.hypot(nx, 1, nz)));
}

interface Column {
  readonly width: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
  readonly top: Rgb;
  readonly bottom: Rgb;
}

/** From the top, whose row is only partly covered, down to where the column is filled already. */
function fillColumn(data: Float32Array, { width, column, from, to, top, bottom }: Column): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(Math.ceil(to), data.length / 4 / width);
  const length = Math.max(1, to - from);
  for (let row = first; row < last; row++) {
    const at = (row * width + column) * 4;
    const had = data[at + 3] as number;
    // A row that is partly filled from below keeps its part.
    const alpha = row === last - 1 && had > 0 ? 1 - had : row === first ? clamp(first + 1 - from) : 1;
    if (alpha <= 0) continue;
    const part = clamp((row + 0.5 - from) / length);
    for (let channel = 0; channel < 3; channel++) {
      const color = lerp(top[channel] as number, bottom[channel] as number, part);
      data[at + channel] = (had > 0 ? (data[at + channel] as number) : 0) + color * alpha;
    }
    data[at + 3] = Math.min(1, had + alpha);
  }
}
