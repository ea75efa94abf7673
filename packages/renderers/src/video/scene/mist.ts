import { smoothstep } from '../../pixels/planes.ts';
import { fractalTile, readTile } from '../noise.ts';
import { mix } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';

export interface MistSettings {
  /** The row where it is thickest, and how far it reaches up and down, in heights of the frame. */
  readonly middle: number;
  readonly reach: number;
  readonly strength: number;
  readonly depth: number;
  readonly seed: number;
}

/** How far mist may drift, in widths of the frame. */
const DRIFT = 0.16;

/** A bank of mist that drifts slowly. */
export function createMist(site: Site, { middle, reach, strength, depth, seed }: MistSettings): Element {
  const { size, brief, light } = site;
  const detail = 0.25;
  const density = site.density * detail;
  const left = -site.room(depth).x - DRIFT * size.width;
  const top = middle - reach * size.height;
  const pixels = textureSize(density, { width: size.width - 2 * left, height: 2 * reach * size.height });
  const tile = fractalTile(256, { seed: site.seed + seed, cells: 5, octaves: 5 });
  const color = mix(light.haze, light.horizon, 0.5);
  const texture = paintTexture(pixels, (row, y) => {
    const band = smoothstep(1, 0.1, Math.abs(y / pixels.height - 0.5) * 2);
    const v = (y / density / size.height) * 150;
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const u = (x / density / size.height) * 55;
      const thick = readTile(tile, u, v) + readTile(tile, u * 2.3 + 90, v * 2.1) * 0.4;
      row.set(color, at);
      row[at + 3] = band * smoothstep(-0.55, 0.75, thick) * strength;
    }
  });
  const board: Board = { texture, left, top, depth, detail };
  const direction = seed % 2 === 0 ? 1 : -1;
  return {
    draw(planes, view) {
      const gone = DRIFT * (1 - Math.exp(-(0.05 + 0.1 * brief.wind) * view.seconds));
      drawBoard(planes, site, board, view, direction * gone * size.width);
    },
  };
}
