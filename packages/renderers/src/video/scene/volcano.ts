import { clamp, smoothstep } from '../curves.ts';
import { fractalTile, noiseAlong, readTile } from '../noise.ts';
import { drawDot } from '../particles/dots.ts';
import { toYuv } from '../planes.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { type Element, project, type Site } from './site.ts';
import type { Land, Place } from './terrain.ts';

const FAR = 5;

/** A single cone with a glowing crater. */
export function volcanoLand(site: Site): Land {
  const { seed } = site;
  const flows = fractalTile(256, { seed: seed + 331, cells: 9, octaves: 5, gain: 0.55 });
  const middle = volcanoX(site);
  const peak = FAR * 0.34;
  const { ambient, sunlight } = site.light;
  // It shines by itself, so the little light that falls on it is taken out again.
  const dim = Math.max(0.1, (ambient[0] * 0.62 + sunlight[0] * 0.5) / 255);
  const lava: Rgb = [Math.min(1400, 255 / dim), Math.min(500, 100 / dim), 30];
  return {
    eye: 0.12,
    from: FAR * 0.5,
    to: FAR * 1.9,
    steps: 380,
    haze: 0.06,
    relief: 0.9,
    heightAt(x, z) {
      const dx = x - middle * z;
      const away = Math.hypot(dx, z - FAR * 1.1) / FAR;
      const angle = Math.atan2(z - FAR * 1.1, dx);
      const gullies = readTile(flows, angle * 40, away * 50) * 0.05;
      const cone = Math.max(0, 1 - away / 0.62) ** 1.7;
      return (
        peak * Math.min(cone * (1 + gullies * 4), 0.8 + gullies * 0.3) +
        readTile(flows, x * 20, z * 20) * 0.05 * smoothstep(FAR * 0.5, FAR * 0.8, z)
      );
    },
    colorAt({ x, z, height }: Place): Rgb {
      const angle = Math.atan2(z - FAR * 1.1, x - middle * z);
      const flow = readTile(flows, angle * 52 + 30, height * 26);
      const molten = smoothstep(0.3, 0.6, flow) * smoothstep(0.2, 0.66, height / peak);
      return mix(mix(rgb('#3c3634'), rgb('#5c4c44'), clamp(0.5 + flow)), lava, molten * 0.85);
    },
  };
}

/** Sideways, in heights of the frame at distance 1. */
function volcanoX({ seed }: Site): number {
  return between(seededRandom(seed, 'volcano'), -0.3, 0.3);
}

/** The glow above the crater, and what it throws out. */
export function createEruption(site: Site): Element {
  const { size, horizon, seed } = site;
  const random = seededRandom(seed, 'eruption');
  const crater = { x: size.width / 2 + volcanoX(site) * size.height, y: horizon - 0.235 * size.height };
  const bombs = Array.from({ length: 90 }, () => ({
    phase: random(),
    aside: between(random, -1, 1),
    power: between(random, 0.5, 1.2),
    hot: random(),
  }));
  const [glow, spark, smoke] = [
    toYuv(rgb('#ff6a2a')),
    toYuv(rgb('#ffb04a')),
    toYuv(mix(rgb('#4a4248'), site.light.haze, 0.4)),
  ];
  return {
    draw(planes, view) {
      const { seconds } = view;
      const { scale, left, top } = project(site, view, 0.06);
      const place = (x: number, y: number): { x: number; y: number } => ({
        x: x * scale + left,
        y: y * scale + top,
      });
      for (let puff = 0; puff < 26; puff++) {
        const age = (seconds * 0.09 + puff / 26) % 1;
        const sway = noiseAlong(puff * 3.7 + seconds * 0.2, seed) * age * 0.13;
        drawDot(planes, {
          ...place(crater.x + (sway + age * 0.07) * size.height, crater.y - age * 0.33 * size.height),
          radius: (0.02 + age * 0.11) * size.height * scale,
          color: smoke,
          strength: 0.62 * (1 - age) * Math.min(1, age * 9),
          covers: true,
        });
      }
      const flicker = 0.75 + 0.25 * noiseAlong(seconds * 5, seed + 1);
      drawDot(planes, {
        ...place(crater.x, crater.y - 0.01 * size.height),
        radius: 0.24 * size.height * scale,
        color: glow,
        strength: 0.6 * flicker,
        covers: false,
      });
      for (const { phase, aside, power, hot } of bombs) {
        const age = (seconds * 0.55 + phase) % 1;
        const y = crater.y - (power * 0.42 * age - 0.52 * age * age) * size.height;
        drawDot(planes, {
          ...place(crater.x + aside * age * power * 0.12 * size.height, y),
          radius: size.height * (0.002 + 0.0028 * hot),
          color: spark,
          strength: clamp((1 - age) * 1.5),
          covers: false,
        });
      }
    },
  };
}
