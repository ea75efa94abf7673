import { type Size, softBlur } from '../../pixels/box-blur.ts';
import { type Color, mixColors, scaleColor } from '../../pixels/color.ts';
import { createPlanes, mapPlanes, type Planes, smoothstep } from '../field.ts';
import type { Backdrop, Light } from '../light/light-plan.ts';
import { drawDisc, drawLamps, drawStars } from './draw-lights.ts';
import { cloudNoise, valueNoise } from './noise.ts';

export interface Canvas extends Size {
  readonly planes: Planes;
}

/** From the upper left corner, 0 to 1 each. */
interface Place {
  readonly x: number;
  readonly y: number;
  /** Width by height of the picture. */
  readonly aspect: number;
  readonly seed: number;
  readonly light: Light;
}

const HORIZON = 0.7;

/** A place out of focus behind the subject, in linear light. */
export function paintBackdrop(backdrop: Backdrop, light: Light, size: Size, seed: number): Planes {
  const { width, height } = size;
  const canvas: Canvas = { width, height, planes: createPlanes(width * height) };
  const { red, green, blue } = canvas.planes;
  const painter = PAINTERS[backdrop.form];
  for (let row = 0, at = 0; row < height; row++) {
    const y = (row + 0.5) / height;
    for (let column = 0; column < width; column++, at++) {
      const color = painter(backdrop, { x: (column + 0.5) / width, y, aspect: width / height, seed, light });
      red[at] = color[0];
      green[at] = color[1];
      blue[at] = color[2];
    }
  }
  if (backdrop.stars > 0) drawStars(canvas, backdrop.stars, seed);
  if (backdrop.disc > 0) drawDisc(canvas, backdrop, light);
  if (backdrop.lamps.length > 0) drawLamps(canvas, backdrop, seed);
  return mapPlanes(canvas.planes, (plane) => softBlur(plane, size, Math.max(width, height) / 260));
}

type Painter = (backdrop: Backdrop, place: Place) => Color;

const PAINTERS: Readonly<Record<Backdrop['form'], Painter>> = {
  sky: skyAt,
  studio: studioAt,
  room: roomAt,
  street: streetAt,
  foliage: foliageAt,
  water: waterAt,
  space: spaceAt,
};

function gradient({ top, middle, low }: Backdrop, share: number): Color {
  return share < 0.55
    ? mixColors(top, middle, smoothstep(0, 0.55, share))
    : mixColors(middle, low, smoothstep(0.55, 1, share));
}

function skyAt(backdrop: Backdrop, { x, y, aspect, seed }: Place): Color {
  const horizon = HORIZON + 0.015 * (valueNoise(x * 4 * aspect, 1, seed) - 0.5);
  const up = y / horizon;
  let color = gradient(backdrop, Math.min(1, up));
  if (backdrop.clouds > 0) {
    // Clouds lie flatter towards the horizon.
    const noise = cloudNoise((x * aspect * 3.2) / (0.35 + (1 - Math.min(1, up)) * 0.9) + 5, y * 9, seed, 4);
    const cover =
      smoothstep(0.62 - 0.28 * backdrop.clouds, 0.86 - 0.14 * backdrop.clouds, noise) *
      backdrop.clouds *
      (1 - 0.35 * up);
    const lit = mixColors(backdrop.low, [1, 1, 1], 0.12);
    const shade = scaleColor(mixColors(backdrop.top, backdrop.middle, 0.5), 0.75);
    color = mixColors(
      color,
      mixColors(shade, lit, smoothstep(0.3, 0.85, 1 - noise + 0.25 * up)),
      cover * 0.85,
    );
  }
  return mixColors(
    color,
    mixColors(backdrop.ground, backdrop.low, 0.35 * (1 - smoothstep(0, 0.12, y - horizon))),
    smoothstep(-0.012, 0.02, y - horizon),
  );
}

/** Paper behind the subject with the spot of a lamp on it. */
function studioAt({ top, middle, low, ground }: Backdrop, { x, y, aspect, light }: Place): Color {
  const offX = (x - 0.5 + 0.14 * light.from[0]) * aspect;
  const offY = y - 0.42;
  const spot = Math.exp(-(offX * offX) / 0.16 - (offY * offY) / 0.16);
  const wall = mixColors(mixColors(top, middle, Math.min(1, spot * 1.5)), low, smoothstep(0.45, 1, spot));
  const floor = mixColors(ground, scaleColor(ground, 0.6), smoothstep(0.75, 1.1, y));
  return mixColors(wall, floor, smoothstep(0.66, 0.86, y));
}

/** A dim room with a window or a lamp out of focus on the side of the light. */
function roomAt(backdrop: Backdrop, { x, y, aspect, seed, light }: Place): Color {
  const wall = gradient(backdrop, 0.25 + 0.75 * y);
  const panels = 0.86 + 0.28 * valueNoise(x * 3 * aspect, 0.5, seed);
  const side = light.from[0] < 0 ? x : 1 - x;
  const glow = Math.exp(-((side * aspect) ** 2) / 0.35 - (y - 0.35) ** 2 / 0.3);
  const lit = mixColors(scaleColor(wall, panels), backdrop.low, 0.6 * glow);
  const floor = scaleColor(backdrop.ground, 1 - 0.35 * (y - HORIZON));
  return mixColors(scaleColor(lit, 0.75 + 0.7 * glow), floor, smoothstep(HORIZON + 0.02, HORIZON + 0.07, y));
}

/** Houses as blurred blocks. */
function streetAt(backdrop: Backdrop, { x, y, aspect, seed }: Place): Color {
  const sky = gradient(backdrop, y);
  const block = valueNoise(Math.round(x * aspect * 7 + 0.4 * Math.sin(x * 31)), 2, seed);
  const roof = 0.12 + 0.42 * valueNoise(x * aspect * 3.1, 7, seed) + 0.1 * block;
  const tone = 0.45 + 0.75 * valueNoise(x * aspect * 6.3, y * 2.5, seed + 3);
  const house = scaleColor(mixColors(backdrop.middle, backdrop.low, block), tone);
  const built = mixColors(sky, house, smoothstep(roof - 0.05, roof + 0.05, y) * 0.85);
  return mixColors(
    built,
    mixColors(backdrop.ground, backdrop.low, 0.2 * (1 - y)),
    smoothstep(HORIZON + 0.05, HORIZON + 0.16, y),
  );
}

function foliageAt(backdrop: Backdrop, { x, y, aspect, seed }: Place): Color {
  const large = cloudNoise(x * aspect * 3.5, y * 3.5, seed, 3);
  const fine = cloudNoise(x * aspect * 11, y * 11, seed + 9, 2);
  const share = Math.min(1, Math.max(0, 0.15 + 0.75 * y + 1.5 * (large - 0.5) + 0.45 * (fine - 0.5)));
  return scaleColor(gradient(backdrop, share), 0.75 + 0.5 * fine);
}

function waterAt(backdrop: Backdrop, place: Place): Color {
  const { x, y, aspect, seed } = place;
  const line = 0.56;
  if (y < line - 0.012)
    return skyAt(
      { ...backdrop, clouds: Math.max(0.2, backdrop.clouds) },
      { ...place, y: (y / line) * HORIZON * 0.98 },
    );
  const depth = (y - line) / (1 - line);
  const sea = mixColors(
    mixColors(backdrop.low, backdrop.middle, smoothstep(0, 0.2, depth)),
    scaleColor(backdrop.top, 0.6),
    0.65 * smoothstep(0.05, 0.6, depth),
  );
  const waves = valueNoise(x * aspect * (5 / (0.15 + depth)) * 0.3, depth * 42, seed);
  const glints = scaleColor(sea, 0.82 + 0.36 * waves);
  return mixColors(
    glints,
    backdrop.ground,
    smoothstep(0.42, 0.62, depth + 0.08 * (valueNoise(x * 3, 4, seed) - 0.5)),
  );
}

function spaceAt(backdrop: Backdrop, { x, y, aspect, seed }: Place): Color {
  const cloud = cloudNoise(x * aspect * 2.6, y * 2.6, seed, 5);
  const veil = cloudNoise(x * aspect * 4.2 + 9, y * 4.2, seed + 5, 4);
  const share = smoothstep(0.42, 0.72, cloud);
  return mixColors(
    mixColors(backdrop.top, backdrop.middle, share),
    backdrop.low,
    smoothstep(0.5, 0.8, cloud * 0.6 + veil * 0.5),
  );
}
