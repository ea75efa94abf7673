import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, type Tile } from '../noise.ts';
import { MOST, type Planes, toYuv, UNIT, type Yuv } from '../planes.ts';
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
/** Values of the wave tiles for 1. */
const WAVE = 256;

/** Water up to the lower edge. It mirrors what was drawn above it, so it is drawn after all that. */
export function createWater(site: Site, settings: WaterSettings): Element {
  const { seed, light } = site;
  const swell = toWaves(fractalTile(TILE, { seed: seed + 601, cells: 9, octaves: 4, gain: 0.55 }));
  const ripples = toWaves(fractalTile(TILE, { seed: seed + 602, cells: 26, octaves: 4, gain: 0.6 }));
  const colors = { far: toYuv(mix(deepColor(site), light.haze, 0.45)), near: toYuv(deepColor(site)) };
  const glint = toYuv(light.sun.isMoon ? scaled(light.sun.color, 0.9) : light.sun.color);
  return {
    draw(planes, view) {
      drawWater(planes, { site, settings, swell, ripples, colors, glint, view });
    },
  };
}

function deepColor({ light, brief }: Site): Rgb {
  // Wet asphalt.
  if (brief.ground === 'street')
    return mix(scaled(rgb('#4a4c54'), lerp(1, 0.35, light.dark)), light.haze, 0.12);
  const base = brief.features.has('tropical') && light.dark === 0 ? rgb('#1f9aa8') : rgb('#1d4a66');
  const named = brief.lightColors[0];
  const lit = scaled(base, lerp(1, 0.3, light.dark));
  return mix(named ? tinted(lit, named, 0.4) : lit, light.middle, 0.22);
}

function toWaves({ data }: Tile): Int16Array {
  return Int16Array.from(data, (value) => clamp(value, -1.5, 1.5) * WAVE);
}

interface Drawing {
  readonly site: Site;
  readonly settings: WaterSettings;
  readonly swell: Int16Array;
  readonly ripples: Int16Array;
  readonly colors: { readonly far: Yuv; readonly near: Yuv };
  readonly glint: Yuv;
  readonly view: View;
}

function drawWater(planes: Planes, drawing: Drawing): void {
  const { site, settings, view } = drawing;
  const { scale, left, top } = project(site, view.camera, 0.12);
  const shore = Math.max(1, Math.round(settings.shore * scale + top));
  const { width, height } = planes;
  const sunAt = site.light.sun.x * site.size.width * scale + left;
  const lines = {
    swell: new Int32Array(TILE + 1),
    ripples: new Int32Array(TILE + 1),
    lift: new Int32Array(width),
    shine: new Int32Array(width),
  };
  for (let row = shore; row < height; row++) {
    const depth = (row - shore + 0.5) / site.size.height;
    waveRow(drawing, { depth, width, sunAt }, lines);
    reflectRow(planes.y, { ...rowOf(drawing, 'y', depth), row, shore, width, coarseness: 1 }, lines);
    if (row % 2 === 1) continue;
    for (const name of ['u', 'v'] as const) {
      reflectRow(
        planes[name],
        {
          ...rowOf(drawing, name, depth),
          row: row >> 1,
          shore: shore >> 1,
          width: width >> 1,
          coarseness: 2,
        },
        lines,
      );
    }
  }
}

interface WaveLines {
  readonly swell: Int32Array;
  readonly ripples: Int32Array;
  /** For every pixel: how far the mirrored picture is moved, in pixels. */
  readonly lift: Int32Array;
  /** Light on the waves, in units. */
  readonly shine: Int32Array;
}

function waveRow(
  { site, settings, swell, ripples, view, glint }: Drawing,
  { depth, width, sunAt }: { readonly depth: number; readonly width: number; readonly sunAt: number },
  lines: WaveLines,
): void {
  const { size, light } = site;
  const { seconds, camera } = view;
  const { rough } = settings;
  const far = 0.05 / (depth + 0.008);
  const across = far * 520;
  const forward = (camera.zoom - 1) * 40;
  mixTile(swell, far * 620 - seconds * lerp(9, 26, rough) - forward * 3, lines.swell);
  mixTile(ripples, far * 1300 - seconds * 38 - forward * 6, lines.ripples);
  const step = (across / size.height) * 65_536;
  const middle = size.width / 2 + (camera.x * 0.6 + camera.orbit * 0.3) * -size.width;
  const start = ((-middle / size.height) * across + TILE * 8) * 65_536;
  let slow = (start * 0.55 + seconds * 9 * 65_536) | 0;
  let quick = (start - seconds * 13 * 65_536) | 0;
  const slowStep = Math.round(step * 0.55);
  const quickStep = Math.round(step);
  // Waves are smaller than a pixel far away: there they only soften.
  const reach = size.height * (0.0022 + 0.03 * depth + 0.2 * rough * smoothstep(0.002, 0.22, depth) ** 0.8);
  const slowReach = Math.round((reach * 1.1 * 256) / WAVE);
  const quickReach = Math.round((reach * 0.6 * 256) / WAVE);
  const shade = Math.round(UNIT * (1 + 30 * rough * smoothstep(0, 0.35, depth)) * lerp(1, 0.35, light.dark));
  const path = size.height * (0.035 + 0.33 * depth) * (0.5 + rough);
  const sparkle = light.sun.strength * light.sun.strength * glint.y * UNIT * lerp(0.75, 0.5, light.dark);
  const breaks = lerp(1.5, 0.85, rough) * WAVE;
  const foam = Math.round(
    UNIT * lerp(2.2, 0.7, light.dark) * smoothstep(0.35, 0.8, rough) * smoothstep(0.01, 0.12, depth),
  );
  const isGlinting = light.sun.strength > 0.2;
  for (let x = 0; x < width; x++, slow = (slow + slowStep) | 0, quick = (quick + quickStep) | 0) {
    const a = waveAt(lines.swell, slow);
    const b = waveAt(lines.ripples, quick);
    const wave = Math.imul(a, slowReach) + Math.imul(b, quickReach);
    lines.lift[x] = wave >> 8;
    let shine = Math.imul(a + (b >> 1), shade) >> 8;
    if (isGlinting) {
      const aside = (x - sunAt) / path;
      const slope = (a + b * 1.6) / WAVE;
      if (aside < 2.2 && aside > -2.2 && slope > 0.3)
        shine += sparkle * (slope - 0.3) * Math.exp(-aside * aside) * Math.min(1, depth * 14 + 0.25);
    }
    // Crests break into foam.
    const crest = a + (b >> 1) - breaks;
    if (crest > 0) shine += Math.imul(crest, foam);
    lines.shine[x] = shine;
  }
}

/** Two rows of a tile mixed, with its first value again at the end. */
function mixTile(tile: Int16Array, place: number, target: Int32Array): void {
  const row = Math.floor(place);
  const part = Math.round((place - row) * 256);
  const upper = (row & (TILE - 1)) * TILE;
  const lower = ((row + 1) & (TILE - 1)) * TILE;
  for (let x = 0; x < TILE; x++) {
    const value = tile[upper + x] as number;
    target[x] = value + (Math.imul((tile[lower + x] as number) - value, part) >> 8);
  }
  target[TILE] = target[0] as number;
}

function waveAt(line: Int32Array, place: number): number {
  const at = (place >> 16) & (TILE - 1);
  const value = line[at] as number;
  return value + (Math.imul((line[at + 1] as number) - value, (place >> 8) & 255) >> 8);
}

interface Reflection {
  /** The water's own color there, in units. */
  readonly own: number;
  /** How much of the mirrored picture is seen, of 256. */
  readonly part: number;
  readonly sparkle: number;
}

function rowOf({ settings, colors, glint }: Drawing, name: 'y' | 'u' | 'v', depth: number): Reflection {
  const near = smoothstep(0, 0.45, depth);
  const part = settings.mirror * lerp(0.94, 0.5, near ** 0.8);
  return {
    own: Math.round(lerp(colors.far[name], colors.near[name], near) * UNIT),
    part: Math.round(part * 256),
    // Light on waves has the color of the sun.
    sparkle: name === 'y' ? 256 : Math.round((256 * glint[name]) / Math.max(1, glint.y)),
  };
}

function reflectRow(
  plane: Int16Array,
  row: Reflection & {
    readonly row: number;
    readonly shore: number;
    readonly width: number;
    readonly coarseness: 1 | 2;
  },
  { lift, shine }: WaveLines,
): void {
  const { own, part, sparkle, shore, width, coarseness } = row;
  const start = row.row * width;
  const mirrored = shore - 1 - (((row.row - shore) * 230) >> 8);
  const isColor = coarseness === 2;
  for (let x = 0; x < width; x++) {
    const at = isColor ? x * 2 : x;
    const moved = isColor ? (lift[at] as number) >> 1 : (lift[at] as number);
    const place = mirrored + moved;
    const from = place < 0 ? 0 : place >= shore ? shore - 1 : place;
    const aside = x + (moved >> 2);
    const column = aside < 0 ? 0 : aside >= width ? width - 1 : aside;
    const seen = plane[from * width + column] as number;
    const sum = own + (Math.imul(seen - own, part) >> 8) + (Math.imul(shine[at] as number, sparkle) >> 8);
    plane[start + x] = sum > MOST ? MOST : sum;
  }
}
