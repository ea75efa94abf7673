import { type Color, mixColors } from '../../pixels/color.ts';
import type { Backdrop, Light } from '../light/light-plan.ts';
import { randomNumbers } from './noise.ts';
import type { Canvas } from './paint-backdrop.ts';

const MOST_STARS = 320;
const LAMPS = 34;

export function drawStars(canvas: Canvas, amount: number, seed: number): void {
  const random = randomNumbers(seed ^ 0x51a2);
  const longer = Math.max(canvas.width, canvas.height);
  for (let star = 0; star < MOST_STARS * amount; star++) {
    const x = random() * canvas.width;
    const y = random() ** 1.4 * canvas.height * 0.85;
    const light = 0.06 + 0.5 * random() ** 6;
    const blueish = random();
    const radius = longer * (0.0012 + 0.0022 * random() ** 3);
    addSpot(canvas, {
      x,
      y,
      radius,
      color: [light * (0.9 + 0.1 * blueish), light * 0.95, light * (1.15 - 0.2 * blueish)],
      rim: 0,
    });
  }
}

/** The sun or the moon, and the glow around it, on the side that the light comes from. */
export function drawDisc(canvas: Canvas, backdrop: Backdrop, light: Light): void {
  const { width, height, planes } = canvas;
  const aspect = width / height;
  const centerX = 0.5 + Math.max(-0.4, Math.min(0.4, light.from[0] * 0.42));
  const centerY = light.from[1] < -0.6 ? 0.18 : 0.5;
  const color = mixColors(light.color, [1, 1, 1], 0.3);
  for (let row = 0, at = 0; row < height; row++) {
    const offY = (row + 0.5) / height - centerY;
    for (let column = 0; column < width; column++, at++) {
      const offX = ((column + 0.5) / width - centerX) * aspect;
      const square = offX * offX + offY * offY;
      const glow =
        backdrop.disc *
        (0.16 * Math.exp(-square / 0.06) +
          0.3 * Math.exp(-square / 0.008) +
          1.1 * Math.exp(-((square / 0.0016) ** 3)));
      planes.red[at] = (planes.red[at] ?? 0) + glow * color[0];
      planes.green[at] = (planes.green[at] ?? 0) + glow * color[1];
      planes.blue[at] = (planes.blue[at] ?? 0) + glow * color[2];
    }
  }
}

/** Lamps and gaps between leaves as a lens out of focus draws them: discs with a slightly brighter rim. */
export function drawLamps(canvas: Canvas, { lamps, form }: Backdrop, seed: number): void {
  const random = randomNumbers(seed ^ 0x9e37);
  const longer = Math.max(canvas.width, canvas.height);
  const low = form === 'foliage' ? 0.85 : 0.68;
  for (let lamp = 0; lamp < LAMPS; lamp++) {
    const color = lamps[Math.floor(random() * lamps.length)] ?? [1, 1, 1];
    const light = 0.1 + 0.5 * random() ** 2.2;
    addSpot(canvas, {
      x: random() * canvas.width,
      y: (0.06 + random() * (low - 0.06)) * canvas.height,
      radius: longer * (0.008 + 0.032 * random() ** 1.5),
      color: [color[0] * light, color[1] * light, color[2] * light],
      rim: 0.35,
    });
  }
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: Color;
  readonly rim: number;
}

function addSpot({ width, height, planes }: Canvas, { x, y, radius, color, rim }: Spot): void {
  const edge = Math.max(0.75, radius * 0.12);
  for (
    let row = Math.max(0, Math.floor(y - radius - 2));
    row <= Math.min(height - 1, y + radius + 2);
    row++
  ) {
    for (
      let column = Math.max(0, Math.floor(x - radius - 2));
      column <= Math.min(width - 1, x + radius + 2);
      column++
    ) {
      const distance = Math.hypot(column - x, row - y);
      const cover = Math.min(1, Math.max(0, (radius - distance) / edge + 0.5));
      if (cover === 0) continue;
      const amount = cover * (1 + rim * Math.min(1, distance / radius) ** 4 - rim * 0.3);
      const at = row * width + column;
      planes.red[at] = (planes.red[at] ?? 0) + color[0] * amount;
      planes.green[at] = (planes.green[at] ?? 0) + color[1] * amount;
      planes.blue[at] = (planes.blue[at] ?? 0) + color[2] * amount;
    }
  }
}
