import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, type Tile } from '../noise.ts';
import { MAX_VALUE, type Planes, toYuv, UNIT, type Yuv } from '../planes.ts';
import { mix, type Rgb, rgb, scaled, tinted } from '../rgb.ts';
import { type Element, project, type Site, type View } from './site.ts';

export interface WaterSettings {
  /** The row where it begins. */
  readonly shore: number;
  /** 0 is a mirror, 1 a rough sea. */
  readonly rough: number;
  /** How much of what is above it shows, 0 to 1. */
  readonly mirror: number;
}

const TILE = 512;

/** Water up to the lower edge. It mirrors what was drawn above it, so it is drawn after all that. */
export function createWater(site: Site, settings: WaterSettings): Element {
  const { seed, light } = site;
  const { width } = site.size;
  const water: Water = {
    ...settings,
    site,
    swell: fractalTile(TILE, { seed: seed + 601, cells: 9, octaves: 4, gain: 0.55 }),
    ripples: fractalTile(TILE, { seed: seed + 602, cells: 26, octaves: 4, gain: 0.6 }),
    far: toYuv(mix(deepColor(site), light.haze, 0.45)),
    near: toYuv(deepColor(site)),
    glint: toYuv(scaled(light.sun.color, light.sun.isMoon ? 0.9 : 1)),
    lines: {
      swell: new Float32Array(TILE + 1),
      ripples: new Float32Array(TILE + 1),
      lift: new Int32Array(width),
      shine: new Int32Array(width),
    },
  };
  return { draw: (planes, view) => drawWater(planes, water, view) };
}

function deepColor({ light, brief }: Site): Rgb {
  const base = brief.has('tropical') && light.dark === 0 ? rgb('#1f9aa8') : rgb('#1d4a66');
  const [named] = brief.lightColors;
  const lit = scaled(base, lerp(1, 0.3, light.dark));
  return mix(named ? tinted(lit, named, 0.4) : lit, light.middle, 0.22);
}

interface Water extends WaterSettings {
  readonly site: Site;
  readonly swell: Tile;
  readonly ripples: Tile;
  readonly far: Yuv;
  readonly near: Yuv;
  readonly glint: Yuv;
  /** Of the row that is drawn: waves, how far the mirrored picture is moved in pixels, and the light on the waves in units. */
  readonly lines: {
    readonly swell: Float32Array;
    readonly ripples: Float32Array;
    readonly lift: Int32Array;
    readonly shine: Int32Array;
  };
}

function drawWater(planes: Planes, water: Water, view: View): void {
  const { site } = water;
  const { scale, left, top } = project(site, view, 0.12);
  const shore = Math.max(1, Math.round(water.shore * scale + top));
  const sunAt = site.light.sun.x * site.size.width * scale + left;
  for (let row = shore; row < planes.height; row++) {
    // Seen larger, a row is nearer to the shore than it seems.
    const depth = (row - shore + 0.5) / (site.size.height * scale);
    waveRow(water, view, depth, sunAt);
    reflectRow(planes, water, { name: 'y', depth, row, shore });
    if (row % 2 === 1) continue;
    reflectRow(planes, water, { name: 'u', depth, row: row >> 1, shore: shore >> 1 });
    reflectRow(planes, water, { name: 'v', depth, row: row >> 1, shore: shore >> 1 });
  }
}

function waveRow(
  { site, swell, ripples, rough, glint, lines }: Water,
  view: View,
  depth: number,
  sunAt: number,
): void {
  const { size, light } = site;
  const { seconds, camera } = view;
  const { scale, left } = project(site, view, lerp(0.12, 0.75, smoothstep(0, 0.5, depth)));
  const far = 0.05 / (depth + 0.008);
  const forward = camera.forward * 20;
  mixTile(swell, far * 620 - seconds * lerp(9, 26, rough) - forward * 3, lines.swell);
  mixTile(ripples, far * 1300 - seconds * 38 - forward * 6, lines.ripples);
  // Places along the tiles, and the step from pixel to pixel.
  const step = (far * 520) / (size.height * scale);
  const start = TILE * 8 - ((size.width / 2) * scale + left) * step;
  let slow = start * 0.55 + seconds * 9;
  let quick = start - seconds * 13;
  // Far waves are smaller than a pixel and only soften.
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
  for (let x = 0; x < size.width; x++, slow += step * 0.55, quick += step) {
    const a = waveAt(lines.swell, slow);
    const b = waveAt(lines.ripples, quick);
    const height = a + b * 0.5;
    lines.lift[x] = reach * (1.1 * a + 0.6 * b);
    let shone = height * shade;
    if (height > breaks) shone += (height - breaks) * foam;
    const slope = a + b * 1.6 - 0.3;
    const aside = (x - sunAt) * path;
    if (slope > 0 && aside * aside < 9) shone += slope * sparkle * Math.exp(-aside * aside);
    lines.shine[x] = shone;
  }
}

function waveAt(line: Float32Array, place: number): number {
  const whole = Math.floor(place);
  const at = whole & (TILE - 1);
  const value = line[at] as number;
  return value + ((line[at + 1] as number) - value) * (place - whole);
}

/** Two rows of a tile mixed, with its first value again at the end. */
function mixTile({ data }: Tile, place: number, target: Float32Array): void {
  const row = Math.floor(place);
  const part = place - row;
  const upper = (row & (TILE - 1)) * TILE;
  const lower = ((row + 1) & (TILE - 1)) * TILE;
  for (let x = 0; x < TILE; x++) {
    const value = data[upper + x] as number;
    target[x] = clamp(value + ((data[lower + x] as number) - value) * part, -1.5, 1.5);
  }
  target[TILE] = target[0] as number;
}

interface WaterRow {
  readonly name: 'y' | 'u' | 'v';
  readonly depth: number;
  readonly row: number;
  readonly shore: number;
}

/** What is above the shore, moved by the waves, mixed with the water's own color. */
function reflectRow(planes: Planes, water: Water, { name, depth, row, shore }: WaterRow): void {
  const near = smoothstep(0, 0.45, depth);
  const coarse = name === 'y' ? 0 : 1;
  const width = planes.width >> coarse;
  const data = planes[name];
  const { lift, shine } = water.lines;
  const own = Math.round(lerp(water.far[name], water.near[name], near) * UNIT);
  const part = Math.round(water.mirror * lerp(0.94, 0.5, near ** 0.8) * 256);
  // Light on waves has the color of the sun.
  const tint = name === 'y' ? 256 : Math.round((256 * water.glint[name]) / Math.max(1, water.glint.y));
  const mirrored = shore - 1 - (((row - shore) * 230) >> 8);
  for (let x = 0, to = row * width; x < width; x++, to++) {
    const moved = (lift[x << coarse] as number) >> coarse;
    const from = Math.max(0, Math.min(shore - 1, mirrored + moved));
    const column = Math.max(0, Math.min(width - 1, x + (moved >> 2)));
    const seen = data[from * width + column] as number;
    const value =
      own + (Math.imul(seen - own, part) >> 8) + (Math.imul(shine[x << coarse] as number, tint) >> 8);
    data[to] = value > MAX_VALUE ? MAX_VALUE : value;
  }
}
