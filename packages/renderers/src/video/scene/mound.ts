import { clamp } from '../curves.ts';
import { fractalAlong, fractalTile, readTile } from '../noise.ts';
import { mix, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';
import { shadeOf } from './terrain.ts';

export interface MoundSettings {
  /** Where its top is. */
  readonly x: number;
  readonly y: number;
  /** How far it reaches to either side and down, in heights of the frame. */
  readonly half: number;
  readonly tall: number;
  readonly depth: number;
  readonly color: Rgb;
  readonly haze: number;
}

/** How far it has fallen from its top, from 0 in the middle to 1 at its ends. */
function domeAt(across: number): number {
  return Math.min(1, Math.abs(across)) ** 2.2;
}

/** The row of its ground at a column. */
export function moundTop({ size }: Site, { x, y, half, tall }: MoundSettings, column: number): number {
  return y + (0.006 + domeAt((column - x) / (half * size.height)) * tall) * size.height;
}

/** A rise of rock or grass for something to stand on. */
export function createMound(site: Site, settings: MoundSettings): Element {
  const { size, density, light } = site;
  const { half, tall, color } = settings;
  const left = settings.x - half * size.height;
  const top = settings.y - 0.03 * size.height;
  const pixels = textureSize(site, { width: half * 2 * size.height, height: (tall + 0.03) * size.height });
  const grain = fractalTile(256, { seed: site.seed + 41, cells: 20, octaves: 4, gain: 0.6 });
  const edge = Array.from({ length: pixels.width }, (_, x) => {
    const across = (x / pixels.width - 0.5) * 2;
    const dome = domeAt(across);
    const rough =
      fractalAlong(across * 5 * half + 9, site.seed + 42, 5) * 0.035 * clamp(Math.abs(across) * 4);
    return (0.03 + dome * tall + rough) * size.height * density;
  });
  const side = light.sun.x < settings.x / size.width ? -1 : 1;
  const texture = paintTexture(pixels, (row, y) => {
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const down = y - (edge[x] as number);
      const cover = clamp(down + 0.5);
      if (cover <= 0) continue;
      const across = (x / pixels.width - 0.5) * 2;
      const noise = readTile(grain, (x / density / size.height) * 260, (y / density / size.height) * 340);
      const lit = clamp(0.42 + across * side * 0.35 + noise * 0.3 - (down / (size.height * density)) * 0.6);
      row.set(mix(shadeOf(site, color, lit), light.haze, settings.haze), at);
      row[at + 3] = cover;
    }
  });
  const board = { texture, left, top, depth: settings.depth };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}
