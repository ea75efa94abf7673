import { vectorFloats } from '@atelier/nodes/simd';
import { clamp, lerp, smoothstep } from '../../pixels/planes.ts';
import { fractalTile } from '../noise.ts';
import { type Planes, toYuv, UNIT, type Yuv } from '../planes.ts';
import { mix, type Rgb, rgb, scaled, tinted } from '../rgb.ts';
import { type Element, project, type Site, type View } from './site.ts';
import { mirrorRow, WAVE_LENGTH, waveRow } from './water-row.ts';

/** Places along a line of waves are in so many parts. */
const PART = 65_536;

export interface WaterSettings {
  /** The row where it begins. */
  readonly shore: number;
  /** 0 is a mirror, 1 a rough sea. */
  readonly rough: number;
  /** The strength of the reflection, 0 to 1. */
  readonly mirror: number;
}

/** Water up to the lower edge. It mirrors what was drawn above it, so it must be drawn later. */
export function createWater(site: Site, settings: WaterSettings): Element {
  const { seed, light } = site;
  const water: Water = {
    ...settings,
    site,
    swell: wavesOf({ seed: seed + 601, cells: 9, octaves: 4, gain: 0.55 }),
    ripples: wavesOf({ seed: seed + 602, cells: 26, octaves: 4, gain: 0.6 }),
    far: toYuv(mix(deepColor(site), light.haze, 0.45)),
    near: toYuv(deepColor(site)),
    glint: toYuv(scaled(light.sun.color, light.sun.isMoon ? 0.9 : 1)),
  };
  return { draw: (planes, view) => drawWater(planes, water, view) };
}

function wavesOf(settings: Parameters<typeof fractalTile>[1]): Float32Array {
  return fractalTile(WAVE_LENGTH, settings).data.map((height) => clamp(height, -1.5, 1.5));
}

function deepColor({ light, brief }: Site): Rgb {
  const base = brief.has('tropical') && light.dark === 0 ? rgb('#1f9aa8') : rgb('#1d4a66');
  const [named] = brief.lightColors;
  const lit = scaled(base, lerp(1, 0.3, light.dark));
  return mix(named ? tinted(lit, named, 0.4) : lit, light.middle, 0.22);
}

interface Water extends WaterSettings {
  readonly site: Site;
  readonly swell: Float32Array;
  readonly ripples: Float32Array;
  readonly far: Yuv;
  readonly near: Yuv;
  readonly glint: Yuv;
}

/** Addresses in the vector memory, in bytes. */
interface Room {
  readonly shorts: Int16Array;
  readonly floats: Float32Array;
  readonly swell: number;
  readonly ripples: number;
  readonly lift: number;
  readonly shine: number;
  readonly row: number;
  /** What is above the shore. */
  readonly picture: Readonly<Record<'y' | 'u' | 'v', number>>;
}

function roomFor({ width }: Planes, shore: number): Room {
  const line = (WAVE_LENGTH + 4) * 4;
  const shine = 2 * line + width * 4;
  const row = shine + width * 4;
  const y = row + width * 2;
  const u = y + (shore + 1) * width * 2;
  const v = u + (shore + 1) * width;
  const floats = vectorFloats((v + (shore + 1) * width) / 4);
  const shorts = new Int16Array(floats.buffer);
  return { shorts, floats, swell: 0, ripples: line, lift: 2 * line, shine, row, picture: { y, u, v } };
}

function drawWater(planes: Planes, water: Water, view: View): void {
  const { site } = water;
  const { scale, left, top } = project(site, view, 0.12);
  const shore = Math.max(2, Math.round(water.shore * scale + top));
  const sunAt = site.light.sun.x * site.size.width * scale + left;
  const room = roomFor(planes, shore);
  for (const name of ['y', 'u', 'v'] as const) {
    const above = name === 'y' ? shore * planes.width : (shore >> 1) * (planes.width >> 1);
    room.shorts.set(planes[name].subarray(0, above), room.picture[name] / 2);
  }
  for (let row = shore; row < planes.height; row++) {
    // When the view is enlarged, a row is nearer to the shore than it seems.
    const depth = (row - shore + 0.5) / (site.size.height * scale);
    const drawWaves = readyWaves(water, room, { view, depth, sunAt });
    drawWaves(1);
    reflectRow(planes, water, room, { name: 'y', depth, row, shore });
    if (row % 2 === 1) continue;
    drawWaves(2);
    reflectRow(planes, water, room, { name: 'u', depth, row: row >> 1, shore: shore >> 1 });
    reflectRow(planes, water, room, { name: 'v', depth, row: row >> 1, shore: shore >> 1 });
  }
}

/** Returns a function that draws the waves of a row at every pixel or every second one. */
function readyWaves(
  { site, swell, ripples, rough, glint }: Water,
  room: Room,
  { view, depth, sunAt }: { readonly view: View; readonly depth: number; readonly sunAt: number },
): (every: 1 | 2) => void {
  const { size, light } = site;
  const { seconds, camera } = view;
  const { scale, left } = project(site, view, lerp(0.12, 0.75, smoothstep(0, 0.5, depth)));
  const far = 0.05 / (depth + 0.008);
  const forward = camera.forward * 20;
  mixTile(swell, far * 620 - seconds * lerp(9, 26, rough) - forward * 3, room.floats, room.swell / 4);
  mixTile(ripples, far * 1300 - seconds * 38 - forward * 6, room.floats, room.ripples / 4);
  // Places along the lines of waves, and the step from pixel to pixel.
  const step = (far * 520) / (size.height * scale);
  const start = WAVE_LENGTH * 8 - ((size.width / 2) * scale + left) * step;
  const slow = start * 0.55 + seconds * 9;
  const quick = start - seconds * 13;
  // Far waves are smaller than a pixel and only blur.
  const reach = size.height * (0.0022 + 0.03 * depth + 0.2 * rough * smoothstep(0.002, 0.22, depth) ** 0.8);
  const shade = UNIT * (1 + 30 * rough * smoothstep(0, 0.35, depth)) * lerp(1, 0.35, light.dark);
  // Crests break into foam.
  const foam =
    256 * UNIT * lerp(2.2, 0.7, light.dark) * smoothstep(0.35, 0.8, rough) * smoothstep(0.01, 0.12, depth);
  const breaks = lerp(1.5, 0.85, rough);
  const { strength } = light.sun;
  const sparkle =
    strength > 0.2
      ? strength * strength * glint.y * UNIT * lerp(0.75, 0.5, light.dark) * Math.min(1, depth * 14 + 0.25)
      : 0;
  const path = 1 / (size.height * (0.035 + 0.33 * depth) * (0.5 + rough));
  return (every) =>
    waveRow(
      room.lift,
      room.lift + (size.width / every) * 4,
      room.shine,
      room.swell,
      room.ripples,
      slow * PART,
      step * 0.55 * every * PART,
      quick * PART,
      step * every * PART,
      reach / every,
      shade,
      breaks,
      foam,
      sparkle,
      -sunAt * path,
      path * every,
    );
}

/** Mixes two rows of waves and repeats the first value at the end. */
function mixTile(data: Float32Array, place: number, target: Float32Array, to: number): void {
  const row = Math.floor(place);
  const part = place - row;
  const upper = (row & (WAVE_LENGTH - 1)) * WAVE_LENGTH;
  const lower = ((row + 1) & (WAVE_LENGTH - 1)) * WAVE_LENGTH;
  for (let x = 0; x < WAVE_LENGTH; x++) {
    const value = data[upper + x] as number;
    target[to + x] = value + ((data[lower + x] as number) - value) * part;
  }
  target[to + WAVE_LENGTH] = target[to] as number;
}

interface WaterRow {
  readonly name: 'y' | 'u' | 'v';
  readonly depth: number;
  readonly row: number;
  readonly shore: number;
}

/** Mixes the reflection, displaced by the waves, with the water's own color. */
function reflectRow(planes: Planes, water: Water, room: Room, { name, depth, row, shore }: WaterRow): void {
  const near = smoothstep(0, 0.45, depth);
  const width = name === 'y' ? planes.width : planes.width >> 1;
  const own = lerp(water.far[name], water.near[name], near) * UNIT;
  const part = water.mirror * lerp(0.94, 0.5, near ** 0.8) * 256;
  // Light on waves has the color of the sun.
  const tint = name === 'y' ? 256 : (256 * water.glint[name]) / Math.max(1, water.glint.y);
  const mirrored = shore - 1 - (((row - shore) * 230) >> 8);
  mirrorRow(
    room.row,
    room.row + width * 2,
    room.lift,
    room.shine,
    room.picture[name],
    width,
    shore - 1,
    mirrored,
    Math.round(own),
    Math.round(part),
    Math.round(tint),
  );
  planes[name].set(room.shorts.subarray(room.row / 2, room.row / 2 + width), row * width);
}
