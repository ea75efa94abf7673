import { lerp } from '../../pixels/planes.ts';
import { noiseAlong } from '../noise.ts';
import { type Planes, type Size, toYuv, UNIT, type Yuv } from '../planes.ts';
import { seededRandom } from '../random.ts';
import { mix, rgb, scaled } from '../rgb.ts';
import type { Element, Site } from './site.ts';

/** Rain or snow in front of everything. The place of each drop depends only on the time. */
export function createFalling(site: Site): readonly Element[] {
  const { brief, size } = site;
  const isRain = brief.has('rain');
  if (!isRain && !brief.has('snowfall')) return [];
  const random = seededRandom(site.seed, 'falling');
  const color = toYuv(
    mix(scaled(rgb(isRain ? '#d4e0ee' : '#ffffff'), 1 - 0.55 * site.light.dark), site.light.horizon, 0.12),
  );
  const wind = (isRain ? 0.06 + 0.25 * brief.wind : 0.012 + 0.06 * brief.wind) * (random() < 0.5 ? -1 : 1);
  const drops = Array.from({ length: isRain ? 520 : 420 }, () => ({
    x: random(),
    y: random(),
    // Many are far, few are near.
    near: random() ** 2.2,
    seed: Math.floor(random() * 2 ** 30),
  }));
  return [
    {
      draw(planes, { seconds, camera }) {
        const shiftX = -(camera.turnX + camera.travelX) * 0.8;
        for (const { x, y, near, seed } of drops) {
          const aside = x + wind * seconds + shiftX * (0.4 + near);
          const fallen = y + seconds * (isRain ? lerp(1.3, 2.9, near) : lerp(0.05, 0.2, near));
          if (isRain) drawStreak(planes, { x: wrapped(aside), y: wrapped(fallen), near, wind, color });
          else {
            const sway = noiseAlong(seconds * lerp(0.3, 0.65, near) + near * 50, seed) * 0.03;
            drawFlake(planes, { x: wrapped(aside + sway), y: wrapped(fallen), near, color }, size);
          }
        }
      },
    },
  ];
}

const MARGIN = 0.1;

/** Drops that leave on one side come back on the other, out of sight. */
function wrapped(value: number): number {
  const span = 1 + 2 * MARGIN;
  return value - Math.floor(value / span) * span - MARGIN;
}

interface Drop {
  readonly x: number;
  readonly y: number;
  readonly near: number;
  readonly color: Yuv;
}

function drawFlake(planes: Planes, { x, y, near, color }: Drop, size: Size): void {
  const radius = Math.max(0.8, lerp(0.0018, 0.0085, near ** 1.5) * size.height);
  const strength = 0.9 * lerp(0.55, 1, near);
  const [left, top] = [x * size.width, y * size.height];
  for (let row = Math.ceil(top - radius); row <= top + radius; row++) {
    for (let column = Math.ceil(left - radius); column <= left + radius; column++) {
      const inside = 1 - ((column - left) ** 2 + (row - top) ** 2) / (radius * radius);
      if (inside > 0) blend(planes, column, row, color, inside * inside * strength);
    }
  }
}

/** A line that fades towards its tail. */
function drawStreak(planes: Planes, { x, y, near, wind, color }: Drop & { readonly wind: number }): void {
  const { width, height } = planes;
  const length = Math.ceil(lerp(0.02, 0.085, near) * height);
  const reach = lerp(0.0009, 0.0022, near) * height * 0.5 + 0.5;
  for (let step = 0; step < length; step++) {
    const at = step / length;
    const middle = x * width - wind * step * 0.6;
    const level = lerp(0.1, 0.34, near) * (1 - at) * Math.min(1, at * 8 + 0.3);
    for (let column = Math.ceil(middle - reach); column <= middle + reach; column++)
      blend(
        planes,
        column,
        Math.floor(y * height) - step,
        color,
        level * Math.min(1, reach - Math.abs(column - middle)),
      );
  }
}

function blend(
  { width, height, y, u, v }: Planes,
  column: number,
  row: number,
  color: Yuv,
  part: number,
): void {
  if (part <= 0 || column < 0 || row < 0 || column >= width || row >= height) return;
  const at = row * width + column;
  y[at] = (y[at] as number) * (1 - part) + color.y * UNIT * part;
  const coarse = (row >> 1) * (width >> 1) + (column >> 1);
  u[coarse] = (u[coarse] as number) * (1 - part * 0.4) + color.u * UNIT * part * 0.4;
  v[coarse] = (v[coarse] as number) * (1 - part * 0.4) + color.v * UNIT * part * 0.4;
}
