import { smoothstep } from '../curves.ts';
import { fractalTile, readTile } from '../noise.ts';
import { mix, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';

export interface MistSettings {
  /** The row where it is thickest, and how far it reaches up and down, in heights of the frame. */
  readonly middle: number;
  readonly reach: number;
  readonly strength: number;
  readonly depth: number;
  readonly color: Rgb;
  readonly seed: number;
}

/** A bank of mist that drifts slowly. */
export function createMist(site: Site, settings: MistSettings): Element {
  const { size, brief } = site;
  const { middle, reach, color } = settings;
  // Nothing is softer.
  const detail = 0.25;
  const density = site.density * detail;
  const drift = 0.16;
  const left = -site.room(settings.depth).x - drift * size.width;
  const top = middle - reach * size.height;
  const pixels = textureSize({ density }, { width: size.width - 2 * left, height: 2 * reach * size.height });
  const tile = fractalTile(256, { seed: site.seed + settings.seed, cells: 5, octaves: 5 });
  const texture = paintTexture(pixels, (row, y) => {
    const away = Math.abs(y / pixels.height - 0.5) * 2;
    const band = smoothstep(1, 0.1, away);
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const u = (x / density / size.height) * 55;
      const v = (y / density / size.height) * 150;
      const thick = smoothstep(
        -0.55,
        0.75,
        readTile(tile, u, v) + readTile(tile, u * 2.3 + 90, v * 2.1) * 0.4,
      );
      row[at] = color[0];
      row[at + 1] = color[1];
      row[at + 2] = color[2];
      row[at + 3] = band * thick * settings.strength;
    }
  });
  const board: Board = { texture, left, top, depth: settings.depth, detail };
  const direction = settings.seed % 2 === 0 ? 1 : -1;
  return {
    draw(planes, view) {
      const gone = drift * (1 - Math.exp(-(0.05 + 0.1 * brief.wind) * view.seconds));
      drawBoard(planes, site, board, view, { dx: direction * gone * size.width });
    },
  };
}

export function mistColor({ light }: Site): Rgb {
  return mix(light.haze, light.horizon, 0.5);
}
