import { clamp, lerp } from '../curves.ts';
import { drawDot } from '../particles/dots.ts';
import { toYuv } from '../planes.ts';
import { between, hashPlace, pick, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { type Canvas, dab, drawLine, fillBox, newCanvas, toTexture } from './canvas.ts';
import { type Board, drawBoard, type Element, project, type Site, textureSize } from './site.ts';
import { shadeOf } from './terrain.ts';

/** Towers of a city, row behind row, and lamps that blink on their roofs. */
export function createCity(
  site: Site,
  { base, tall }: { readonly base: number; readonly tall: number },
): Element {
  const rows = [
    { depth: 0.05, haze: 0.72, height: 0.8, width: 0.75 },
    { depth: 0.1, haze: 0.42, height: 1, width: 1 },
    { depth: 0.17, haze: 0.12, height: 0.62, width: 1.25 },
  ];
  const built = rows.map((row, index) =>
    buildRow(site, { ...row, base, height: row.height * tall, seed: index }),
  );
  const red = toYuv(rgb('#ff3a2a'));
  return {
    draw(planes, view) {
      for (const { board, lamps } of built) {
        drawBoard(planes, site, board, view);
        const { scale, left, top } = project(site, view, board.depth);
        for (const lamp of lamps) {
          const on = clamp(Math.sin(view.seconds * 3.2 + lamp.phase) * 3);
          drawDot(planes, {
            x: lamp.x * scale + left,
            y: lamp.y * scale + top,
            radius: site.size.height * 0.006,
            color: red,
            strength: on,
            covers: false,
          });
        }
      }
    },
  };
}

interface Row {
  readonly depth: number;
  readonly haze: number;
  /** In heights of the frame. */
  readonly height: number;
  readonly width: number;
  readonly base: number;
  readonly seed: number;
}

interface Lamp {
  readonly x: number;
  readonly y: number;
  readonly phase: number;
}

function buildRow(site: Site, row: Row): { readonly board: Board; readonly lamps: readonly Lamp[] } {
  const { size, density } = site;
  const random = seededRandom(site.seed + row.seed, 'city');
  const room = site.room(row.depth);
  const left = -room.x;
  const top = row.base - row.height * 1.35 * size.height;
  const canvas = newCanvas(
    textureSize(site, { width: size.width + 2 * room.x, height: row.base - top + size.height * 0.03 }),
  );
  const unit = size.height * density;
  const ground = (row.base - top) * density;
  const lamps: Lamp[] = [];
  // Towers are highest around a middle that is not the frame's.
  const center = between(random, 0.3, 0.7);
  for (let x = -0.03 * unit; x < canvas.width; ) {
    const wide = between(random, 0.035, 0.1) * row.width * unit;
    const near = Math.exp(-(((x / canvas.width - center) / 0.3) ** 2));
    const high =
      row.height * unit * lerp(0.22, 1, near * between(random, 0.45, 1) + between(random, 0, 0.22));
    const tower = { left: x, right: x + wide, top: ground - high, bottom: canvas.height };
    drawTower(canvas, site, { ...tower, row, random });
    if (random() < 0.28 && high > row.height * unit * 0.45) {
      const tip = ground - high - between(random, 0.02, 0.09) * unit;
      drawLine(canvas, [x + wide / 2, ground - high], [x + wide / 2, tip], {
        color: wallColor(site, row, 0.3),
        thickness: Math.max(1, unit * 0.0035),
        end: 0.7,
      });
      lamps.push({ x: (x + wide / 2) / density + left, y: tip / density + top, phase: random() * 7 });
    }
    x += wide * between(random, 0.82, 1.12);
  }
  return { board: { texture: toTexture(canvas), left, top, depth: row.depth }, lamps };
}

function wallColor(site: Site, { haze }: Row, tone: number): Rgb {
  const { light } = site;
  const wall = mix(rgb('#5a6474'), rgb('#9a9088'), tone);
  const night = scaled(mix(wall, light.zenith, 0.65), 0.42);
  return mix(mix(shadeOf(site, wall, 0.55), night, light.dark), mix(light.haze, light.horizon, 0.4), haze);
}

interface Tower {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly row: Row;
  readonly random: Random;
}

function drawTower(canvas: Canvas, site: Site, tower: Tower): void {
  const { left, right, top, bottom, row, random } = tower;
  const { light, brief } = site;
  const unit = site.size.height * site.density;
  const tone = random();
  const wall = wallColor(site, row, tone);
  fillBox(canvas, { left, right, top, bottom }, wall);
  // The side that is turned away is darker.
  const side =
    light.sun.x < 0.5
      ? { left: left + (right - left) * 0.62, right }
      : { left, right: left + (right - left) * 0.38 };
  fillBox(canvas, { ...side, top, bottom }, scaled(wall, 0.78), 0.85);
  const step = random() < 0.45 ? between(random, 0.12, 0.26) : 0;
  if (step > 0) {
    const inset = (right - left) * step;
    fillBox(
      canvas,
      {
        left: left + inset,
        right: right - inset,
        top: top - unit * between(random, 0.012, 0.05),
        bottom: top,
      },
      scaled(wall, 0.92),
    );
  }
  drawWindows(canvas, site, tower);
  if (brief.features.has('neon') && row.haze < 0.5 && random() < 0.5) drawSign(canvas, site, tower);
}

const WARM: readonly [Rgb, ...Rgb[]] = [
  rgb('#ffd48a'),
  rgb('#ffe2b0'),
  rgb('#ffc266'),
  rgb('#fff1d6'),
  rgb('#cfe6ff'),
];
const NEON: readonly [Rgb, ...Rgb[]] = [
  rgb('#ff2fa0'),
  rgb('#2fe6ff'),
  rgb('#9a4bff'),
  rgb('#ff7a2f'),
  rgb('#3affb0'),
];

function drawWindows(canvas: Canvas, site: Site, { left, right, top, bottom, row, random }: Tower): void {
  const { light, brief } = site;
  const unit = site.size.height * site.density;
  const cell = Math.max(2.6, unit * 0.0105 * between(random, 0.85, 1.35) * (1.1 - row.haze * 0.45));
  const columns = Math.floor((right - left) / cell) - 1;
  const lively = between(random, 0.25, 0.6) * (light.dark > 0.3 ? 1 : 0.35);
  const offset = (right - left - columns * cell) / 2;
  const style = pick(random, [0.5, 0.62, 0.82] as const);
  const base = Math.floor(random() * 1e6);
  const colors = brief.features.has('neon') ? [...WARM, ...NEON.slice(0, 2)] : WARM;
  for (let floor = 1; top + floor * cell * 1.25 < bottom - cell; floor++) {
    const y = top + floor * cell * 1.25;
    // Some floors are at work, some are dark.
    const floorLife = 0.5 + hashPlace(floor, 7, base);
    for (let column = 0; column < columns; column++) {
      const isLit = hashPlace(column, floor, base) < lively * floorLife;
      const x = left + offset + column * cell;
      const window = {
        left: x + cell * (1 - style) * 0.5,
        right: x + cell * (1 + style) * 0.5,
        top: y,
        bottom: y + cell * 0.72,
      };
      if (isLit && light.dark > 0.3) {
        const color = colors[Math.floor(hashPlace(column, floor, base + 1) * colors.length)] ?? WARM[0];
        const level = lerp(0.5, 1.15, hashPlace(column, floor, base + 2)) * light.dark;
        fillBox(canvas, window, mix(scaled(color, level), light.haze, row.haze * 0.6), 0.95);
      } else if (row.haze < 0.6) {
        const glass =
          light.dark > 0.3
            ? scaled(light.zenith, 0.55)
            : mix(light.middle, light.horizon, hashPlace(column, floor, base + 3));
        fillBox(canvas, window, mix(glass, light.haze, row.haze), light.dark > 0.3 ? 0.4 : 0.5);
      }
    }
  }
}

function drawSign(canvas: Canvas, site: Site, { left, right, top, random }: Tower): void {
  const unit = site.size.height * site.density;
  const color = pick(random, NEON);
  const isTall = random() < 0.6;
  const wide = isTall ? unit * 0.012 : (right - left) * 0.6;
  const high = isTall ? unit * between(random, 0.05, 0.12) : unit * 0.014;
  const x = lerp(left, right - wide, random());
  const y = top + unit * between(random, 0.03, 0.12);
  for (let row = Math.floor(y - unit * 0.02); row < y + high + unit * 0.02; row++) {
    for (let column = Math.floor(x - unit * 0.02); column < x + wide + unit * 0.02; column++) {
      const dx = Math.max(x - column, 0, column - x - wide);
      const dy = Math.max(y - row, 0, row - y - high);
      dab(canvas, column, row, color, 0.5 * Math.exp(-Math.hypot(dx, dy) / (unit * 0.006)));
    }
  }
  fillBox(canvas, { left: x, right: x + wide, top: y, bottom: y + high }, mix(color, [255, 255, 255], 0.45));
}
