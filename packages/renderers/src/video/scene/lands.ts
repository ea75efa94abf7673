import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, readTile, type Tile } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import type { Site } from './site.ts';
import type { Land, Place } from './terrain.ts';

/** Mountains at some distance. `tall` 1 fills about a third of the frame. */
export function alps(
  site: Site,
  { tall, far, wooded = false }: { readonly tall: number; readonly far: number; readonly wooded?: boolean },
): Land {
  const { seed, brief } = site;
  const ridges = fractalTile(512, { seed: seed + 301, cells: 6, octaves: 7, gain: 0.5, shape: 'ridged' });
  const shape = fractalTile(256, { seed: seed + 302, cells: 5, octaves: 3 });
  const fine = fractalTile(256, { seed: seed + 303, cells: 16, octaves: 4, gain: 0.6 });
  const random = seededRandom(seed, `alps ${far}`);
  const offset = random() * 500;
  const snowLine =
    brief.ground === 'snow' ? 0.1 : wooded || brief.features.has('canyon') ? 9 : lerp(0.5, 0.75, random());
  const woodLine = wooded ? 0.75 : 0.16;
  const isCanyon = brief.features.has('canyon');
  const rock = isCanyon ? rgb('#b0623a') : rgb('#7a7672');
  const isAutumn = brief.features.has('autumn');
  const wood =
    brief.ground === 'dunes' || brief.features.has('canyon')
      ? rgb('#9a6a44')
      : isAutumn
        ? rgb('#8a6a30')
        : rgb('#47603c');
  const snow = rgb('#f4f7ff');
  const peak = tall * far * 0.42;
  return {
    eye: 0.12,
    from: far * 0.55,
    to: far * 2.1,
    steps: 420,
    haze: 0.34 / far,
    relief: 0.85,
    heightAt(x, z) {
      const u = (x / far) * 80 + offset;
      const v = (z / far) * 80;
      const ridge = readTile(ridges, u, v) * 0.5 + 0.5;
      const big = readTile(shape, u * 0.42 + 31, v * 0.42 + 17) * 0.5 + 0.5;
      const rise = smoothstep(far * 0.55, far * 1.25, z);
      const level = rise * (0.22 + 0.95 * big) * (0.25 + 0.95 * ridge * ridge);
      return peak * (isCanyon ? terraced(level * 1.15) : level) - 0.01;
    },
    colorAt({ x, z, height, steep }: Place): Rgb {
      const grain = readTile(fine, (x / far) * 330, (z / far) * 330 + height * 150);
      const level = height / (peak * 0.75) + grain * 0.13;
      const ground = mix(wood, rock, smoothstep(woodLine, woodLine + 0.26, level + steep * 0.35));
      const varied = mix(
        ground,
        [ground[0] * 0.62, ground[1] * 0.64, ground[2] * 0.66],
        clamp(0.5 - grain * (wooded ? 1.6 : 1)),
      );
      return mix(varied, snow, smoothstep(snowLine - 0.09, snowLine + 0.09, level - steep * 0.3) * 0.95);
    },
  };
}

export interface HillColors {
  readonly low: Rgb;
  readonly high: Rgb;
  readonly dry: Rgb;
}

/** Rolling ground from just before the camera to the mountains. */
export function hills(
  site: Site,
  colors: HillColors,
  { rough = 1, grainy = 1 }: { readonly rough?: number; readonly grainy?: number } = {},
): Land {
  const { seed } = site;
  const shape = fractalTile(256, { seed: seed + 401, cells: 5, octaves: 3, gain: 0.4 });
  const fine = fractalTile(512, { seed: seed + 402, cells: 40, octaves: 4, gain: 0.65 });
  const patches = fractalTile(256, { seed: seed + 403, cells: 6, octaves: 4 });
  return {
    eye: 0.34,
    from: 0.42,
    to: 7,
    steps: 620,
    haze: 0.13,
    relief: 1.1,
    heightAt(x, z) {
      const rise = smoothstep(0.5, 3.2, z) * rough;
      const bump = readTile(shape, x * 26 + 40, z * 22 + 70);
      const small = readTile(fine, x * 60, z * 60) * 0.007 * Math.min(1.6, 0.4 + z * 0.4);
      return (bump * 0.16 + 0.1) * rise + small * grainy;
    },
    colorAt({ x, z, steep }: Place): Rgb {
      const grain = grainAt(fine, x, z) * grainy;
      const patch = readTile(patches, x * 22, z * 14 + 9);
      const base = mix(colors.low, colors.high, clamp(0.5 + patch * 0.75));
      const dried = mix(base, colors.dry, clamp(steep * 1.2 + patch * -0.35));
      return scaledBy(dried, 1 + grain * 0.34);
    },
  };
}

export function dunes(site: Site): Land {
  const { seed, brief } = site;
  const shape = fractalTile(256, { seed: seed + 501, cells: 5, octaves: 2, gain: 0.4 });
  const warp = fractalTile(256, { seed: seed + 502, cells: 4, octaves: 3 });
  const fine = fractalTile(512, { seed: seed + 503, cells: 60, octaves: 3, gain: 0.6 });
  const lit =
    brief.lightColors[0] && brief.time !== 'night'
      ? mix(rgb('#e8b070'), brief.lightColors[0], 0.35)
      : rgb('#e8b274');
  const deep = rgb('#c98748');
  return {
    eye: 0.36,
    from: 0.4,
    to: 9,
    steps: 680,
    haze: 0.085,
    relief: 1.55,
    heightAt(x, z) {
      // Crests are sharp, and steeper on the side that the wind does not reach.
      const bend = readTile(warp, x * 13 + 20, z * 13) * 16;
      const wave = readTile(shape, x * 19 + bend + z * 7, z * 21 + bend * 0.6 + 33);
      const crest = 1 - Math.abs(wave) * 1.7;
      const rise = smoothstep(0.35, 2.4, z);
      const ripple = Math.sin((z * 55 + x * 22 + bend * 1.4) * 2.2) * 0.0011 * smoothstep(2.2, 0.5, z);
      return (Math.max(-0.4, crest) * 0.23 + readTile(warp, x * 7 + 90, z * 7) * 0.1) * rise + ripple;
    },
    colorAt({ x, z, height }: Place): Rgb {
      const grain = readTile(fine, x * 190, z * 130);
      return scaledBy(mix(deep, lit, clamp(0.6 + height * 1.6)), 1 + grain * 0.06);
    },
  };
}

/** Walls and ledges. */
function terraced(level: number): number {
  const steps = level * 7;
  const step = Math.floor(steps);
  return (step + smoothstep(0.45, 0.6, steps - step)) / 7;
}

/** Fine noise that looks equally fine near and far: of two sizes, the one that fits, mixed. */
function grainAt(tile: Tile, x: number, z: number): number {
  const size = Math.log2(z);
  const octave = Math.floor(size);
  const coarse = 2 ** (octave + 1);
  const read = (scale: number): number => readTile(tile, (x / scale) * 420, (z / scale) * 130);
  return lerp(read(coarse / 2), read(coarse), size - octave);
}

function scaledBy([red, green, blue]: Rgb, by: number): Rgb {
  return [red * by, green * by, blue * by];
}
