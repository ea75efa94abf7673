import { clamp, lerp, smoothstep } from '../../pixels/planes.ts';
import { fractalTile, readTile } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import type { Site } from './site.ts';
import type { Land, Place } from './terrain.ts';

interface AlpsOptions {
  /** 1 fills about a third of the frame. */
  readonly tall: number;
  readonly far: number;
  readonly isWooded?: boolean;
}

export function alps(site: Site, { tall, far, isWooded = false }: AlpsOptions): Land {
  const { seed, brief } = site;
  const ridges = fractalTile(512, { seed: seed + 301, cells: 6, octaves: 7, gain: 0.5, shape: 'ridged' });
  const shape = fractalTile(256, { seed: seed + 302, cells: 5, octaves: 3 });
  const fine = fractalTile(256, { seed: seed + 303, cells: 16, octaves: 4, gain: 0.6 });
  const random = seededRandom(seed, `alps ${far}`);
  const offset = random() * 500;
  const snowLine = brief.ground === 'snow' ? 0.1 : isWooded ? 9 : lerp(0.5, 0.75, random());
  const woodLine = isWooded ? 0.75 : 0.16;
  const [rock, wood, snow] = [rgb('#7a7672'), rgb('#47603c'), rgb('#f4f7ff')];
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
      return peak * rise * (0.22 + 0.95 * big) * (0.25 + 0.95 * ridge * ridge) - 0.01;
    },
    colorAt({ x, z, height, steep }: Place): Rgb {
      const grain = readTile(fine, (x / far) * 330, (z / far) * 330 + height * 150);
      const level = height / (peak * 0.75) + grain * 0.13;
      const ground = mix(wood, rock, smoothstep(woodLine, woodLine + 0.26, level + steep * 0.35));
      const varied = mix(ground, scaled(ground, 0.63), clamp(0.5 - grain * (isWooded ? 1.6 : 1)));
      return mix(varied, snow, smoothstep(snowLine - 0.09, snowLine + 0.09, level - steep * 0.3) * 0.95);
    },
  };
}

export const MEADOW = {
  low: rgb('#5f8236'),
  high: rgb('#93a850'),
  dry: rgb('#8a8250'),
  /** Relative to a meadow. */
  rough: 1,
  grainy: 1,
};
export const SNOW: typeof MEADOW = {
  low: rgb('#e8f0fa'),
  high: rgb('#ffffff'),
  dry: rgb('#d4dfee'),
  rough: 0.55,
  grainy: 0.22,
};

/** Rolling ground from the camera to the mountains. */
export function hills({ seed }: Site, { low, high, dry, rough, grainy }: typeof MEADOW): Land {
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
      const bump = readTile(shape, x * 26 + 40, z * 22 + 70);
      const small = readTile(fine, x * 60, z * 60) * 0.007 * Math.min(1.6, 0.4 + z * 0.4);
      return (bump * 0.16 + 0.1) * smoothstep(0.5, 3.2, z) * rough + small * grainy;
    },
    colorAt({ x, z, steep }: Place): Rgb {
      // Coarser grain far away, where fine grain would flicker.
      const grain = lerp(
        readTile(fine, x * 190, z * 120),
        readTile(fine, x * 45, z * 28),
        smoothstep(0.8, 3, z),
      );
      const patch = readTile(patches, x * 22, z * 14 + 9);
      const base = mix(low, high, clamp(0.5 + patch * 0.75));
      const dried = mix(base, dry, clamp(steep * 1.2 - patch * 0.35));
      return scaled(dried, 1 + grain * grainy * 0.34);
    },
  };
}
