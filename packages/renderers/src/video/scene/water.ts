import { clamp, lerp, smoothstep } from '../curves.ts';
import { type FrameMemory, oncePerMemory } from '../frame-memory.ts';
import { fractalTile, type Tile } from '../noise.ts';
import { type Planes, toYuv, UNIT, type Yuv } from '../planes.ts';
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
/** So many of a tile's first values come again after its last ones. */
const AGAIN = 16;
/** Values of the wave tiles for 1. */
const WAVE = 256;

/** Water up to the lower edge. It mirrors what was drawn above it, so it is drawn after all that. */
export function createWater(site: Site, settings: WaterSettings): Element {
  const { seed, light } = site;
  const swell = toWaves(fractalTile(TILE, { seed: seed + 601, cells: 9, octaves: 4, gain: 0.55 }));
  const ripples = toWaves(fractalTile(TILE, { seed: seed + 602, cells: 26, octaves: 4, gain: 0.6 }));
  const colors = { far: toYuv(mix(deepColor(site), light.haze, 0.45)), near: toYuv(deepColor(site)) };
  const glint = toYuv(light.sun.isMoon ? scaled(light.sun.color, 0.9) : light.sun.color);
  const linesIn = oncePerMemory((memory) => newLines(memory, site.size.width));
  return {
    draw(planes, view) {
      const lines = linesIn(planes.memory);
      drawWater(planes, { site, settings, swell, ripples, colors, glint, view, lines });
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
  readonly lines: WaveLines;
}

interface WaveLines {
  readonly swell: Int16Array;
  readonly ripples: Int16Array;
  readonly swellRow: Int16Array;
  readonly ripplesRow: Int16Array;
  /** For every pixel: how far the mirrored picture is moved, in pixels. */
  readonly lift: Int32Array;
  /** Light on the waves, in units. */
  readonly shine: Int32Array;
}

function newLines(memory: FrameMemory, width: number): WaveLines {
  return {
    swell: memory.shorts(TILE + AGAIN),
    ripples: memory.shorts(TILE + AGAIN),
    swellRow: memory.shorts(width),
    ripplesRow: memory.shorts(width),
    lift: memory.longs(width),
    shine: memory.longs(width),
  };
}

function drawWater(planes: Planes, drawing: Drawing): void {
  const { site, settings, view } = drawing;
  const { scale, left, top } = project(site, view, 0.12);
  const shore = Math.max(1, Math.round(settings.shore * scale + top));
  const { width, height, memory } = planes;
  const sunAt = site.light.sun.x * site.size.width * scale + left;
  for (let row = shore; row < height; row++) {
    // Seen larger, a row is nearer to the shore than it seems.
    const depth = (row - shore + 0.5) / (site.size.height * scale);
    waveRow(memory, drawing, { depth, width, sunAt });
    reflectRow(planes, drawing, { name: 'y', depth, row, shore });
    if (row % 2 === 1) continue;
    reflectRow(planes, drawing, { name: 'u', depth, row: row >> 1, shore: shore >> 1 });
    reflectRow(planes, drawing, { name: 'v', depth, row: row >> 1, shore: shore >> 1 });
  }
}

function waveRow(
  { kernels }: FrameMemory,
  { site, settings, swell, ripples, view, glint, lines }: Drawing,
  { depth, width, sunAt }: { readonly depth: number; readonly width: number; readonly sunAt: number },
): void {
  const { size, light } = site;
  const { seconds, camera } = view;
  const { scale, left } = project(site, view, lerp(0.12, 0.75, smoothstep(0, 0.5, depth)));
  const { rough } = settings;
  const far = 0.05 / (depth + 0.008);
  const across = far * 520;
  const forward = camera.forward * 20;
  mixTile(swell, far * 620 - seconds * lerp(9, 26, rough) - forward * 3, lines.swell);
  mixTile(ripples, far * 1300 - seconds * 38 - forward * 6, lines.ripples);
  const step = (across / (size.height * scale)) * 65_536;
  const middle = (size.width / 2) * scale + left;
  const start = ((-middle / (size.height * scale)) * across + TILE * 8) * 65_536;
  // Waves are smaller than a pixel far away: there they only soften.
  const reach = size.height * (0.0022 + 0.03 * depth + 0.2 * rough * smoothstep(0.002, 0.22, depth) ** 0.8);
  const isGlinting = light.sun.strength > 0.2;
  const sparkle = light.sun.strength * light.sun.strength * glint.y * UNIT * lerp(0.75, 0.5, light.dark);
  kernels.waveRow(
    lines.swell.byteOffset,
    lines.ripples.byteOffset,
    start * 0.55 + seconds * 9 * 65_536,
    Math.round(step * 0.55),
    start - seconds * 13 * 65_536,
    Math.round(step),
    Math.round((reach * 1.1 * 256) / WAVE),
    Math.round((reach * 0.6 * 256) / WAVE),
    Math.round(UNIT * (1 + 30 * rough * smoothstep(0, 0.35, depth)) * lerp(1, 0.35, light.dark)),
    // Crests break into foam.
    Math.round(
      UNIT * lerp(2.2, 0.7, light.dark) * smoothstep(0.35, 0.8, rough) * smoothstep(0.01, 0.12, depth),
    ),
    lerp(1.5, 0.85, rough) * WAVE,
    isGlinting ? sparkle * Math.min(1, depth * 14 + 0.25) : 0,
    sunAt,
    size.height * (0.035 + 0.33 * depth) * (0.5 + rough),
    lines.swellRow.byteOffset,
    lines.ripplesRow.byteOffset,
    lines.lift.byteOffset,
    lines.shine.byteOffset,
    width,
  );
}

/** Two rows of a tile mixed, with its first values again at the end. */
function mixTile(tile: Int16Array, place: number, target: Int16Array): void {
  const row = Math.floor(place);
  const part = Math.round((place - row) * 256);
  const upper = (row & (TILE - 1)) * TILE;
  const lower = ((row + 1) & (TILE - 1)) * TILE;
  for (let x = 0; x < TILE; x++) {
    const value = tile[upper + x] as number;
    target[x] = value + (Math.imul((tile[lower + x] as number) - value, part) >> 8);
  }
  target.copyWithin(TILE, 0, AGAIN);
}

interface WaterRow {
  readonly name: 'y' | 'u' | 'v';
  readonly depth: number;
  readonly row: number;
  readonly shore: number;
}

function reflectRow(
  planes: Planes,
  { settings, colors, glint, lines }: Drawing,
  { name, depth, row, shore }: WaterRow,
): void {
  const near = smoothstep(0, 0.45, depth);
  const coarse = name === 'y' ? 0 : 1;
  planes.memory.kernels.reflectRow(
    planes[name].byteOffset,
    planes.width >> coarse,
    row,
    shore,
    coarse,
    lines.lift.byteOffset,
    lines.shine.byteOffset,
    // The water's own color there.
    Math.round(lerp(colors.far[name], colors.near[name], near) * UNIT),
    // How much of the mirrored picture is seen, of 256.
    Math.round(settings.mirror * lerp(0.94, 0.5, near ** 0.8) * 256),
    // Light on waves has the color of the sun.
    name === 'y' ? 256 : Math.round((256 * glint[name]) / Math.max(1, glint.y)),
  );
}
