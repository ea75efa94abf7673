import { MOST, type Planes, UNIT, type Yuv } from '../planes.ts';

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: Yuv;
  /** 0 to 1. */
  readonly strength: number;
  /** Light is added; matter covers what is behind it. */
  readonly covers: boolean;
}

/** A soft round dot; its edge fades over its whole radius. */
export function drawDot(planes: Planes, dot: Dot): void {
  const { x, y, radius, color, strength, covers } = dot;
  const cover = covers ? 1 : 0;
  addDot(
    { data: planes.y, width: planes.width, height: planes.height },
    { x, y, radius, value: color.y, strength, cover },
  );
  const half = { width: planes.width >> 1, height: planes.height >> 1 };
  const halved = { x: x / 2, y: y / 2, radius: Math.max(0.75, radius / 2), strength, cover };
  addDot({ data: planes.u, ...half }, { ...halved, value: color.u });
  addDot({ data: planes.v, ...half }, { ...halved, value: color.v });
}

interface Plane {
  readonly data: Int16Array;
  readonly width: number;
  readonly height: number;
}

interface PlaneDot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly value: number;
  readonly strength: number;
  readonly cover: number;
}

function addDot({ data, width, height }: Plane, { x, y, radius, value, strength, cover }: PlaneDot): void {
  const left = Math.max(0, Math.ceil(x - radius - 0.5));
  const right = Math.min(width - 1, Math.floor(x + radius - 0.5));
  const top = Math.max(0, Math.ceil(y - radius - 0.5));
  const bottom = Math.min(height - 1, Math.floor(y + radius - 0.5));
  const scale = 1 / (radius * radius);
  for (let row = top; row <= bottom; row++) {
    const dy = row + 0.5 - y;
    for (let column = left; column <= right; column++) {
      const dx = column + 0.5 - x;
      const inside = 1 - (dx * dx + dy * dy) * scale;
      if (inside <= 0) continue;
      const part = inside * inside * strength;
      const at = row * width + column;
      data[at] = Math.min(MOST, (data[at] as number) * (1 - part * cover) + value * UNIT * part);
    }
  }
}

export interface Streak {
  readonly x: number;
  readonly y: number;
  /** From the head to the tail. */
  readonly dx: number;
  readonly dy: number;
  /** In pixels. */
  readonly thickness: number;
  readonly color: Yuv;
  readonly strength: number;
}

/** A line that fades towards its tail, mostly upright; light is mixed in. */
export function drawStreak({ width, height, y: plane, u, v }: Planes, streak: Streak): void {
  const { x, y, dx, dy, thickness, color, strength } = streak;
  const steps = Math.max(1, Math.ceil(Math.abs(dy)));
  const reach = thickness / 2 + 0.5;
  for (let step = 0; step < steps; step++) {
    const at = step / steps;
    const row = Math.floor(y + dy * at);
    if (row < 0 || row >= height) continue;
    const middle = x + dx * at;
    const level = strength * (1 - at) * Math.min(1, at * 8 + 0.3);
    for (
      let column = Math.max(0, Math.ceil(middle - reach - 0.5));
      column <= Math.min(width - 1, middle + reach - 0.5);
      column++
    ) {
      const part = level * Math.min(1, reach - Math.abs(column + 0.5 - middle));
      if (part <= 0) continue;
      const i = row * width + column;
      plane[i] = (plane[i] as number) * (1 - part) + color.y * UNIT * part;
      const c = (row >> 1) * (width >> 1) + (column >> 1);
      u[c] = (u[c] as number) * (1 - part * 0.5) + color.u * UNIT * part * 0.5;
      v[c] = (v[c] as number) * (1 - part * 0.5) + color.v * UNIT * part * 0.5;
    }
  }
}
