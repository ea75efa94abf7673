import { clamp, smoothstep } from '../../pixels/planes.ts';
import { fractalTile, readTile } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { mix } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';

/** How far clouds may drift, in widths of the frame. */
const DRIFT = 0.2;

/** Clouds slow down before their texture ends. */
function drifted(site: Site, seconds: number): number {
  const most = DRIFT * site.size.width;
  const pace = (0.006 + 0.016 * site.brief.wind) * site.size.width;
  return most * (1 - Math.exp((-pace * seconds) / most));
}

/** Drifting clouds seen from below, smaller towards the horizon. */
export function createClouds(site: Site, cover: number): Element {
  const direction = seededRandom(site.seed, 'wind')() < 0.5 ? -1 : 1;
  const high = paintClouds(site, {
    cover: cover * 0.55,
    seed: 11,
    stretch: 2.6,
    strength: 0.45,
    height: 0.7,
  });
  const low = paintClouds(site, { cover, seed: 23, stretch: 1.25, strength: 0.97, height: 1 });
  return {
    draw(planes, view) {
      const dx = direction * drifted(site, view.seconds);
      drawBoard(planes, site, high, view, dx * 0.45);
      drawBoard(planes, site, low, view, dx);
    },
  };
}

interface CloudSettings {
  readonly cover: number;
  readonly seed: number;
  /** How much wider than deep they are. */
  readonly stretch: number;
  readonly strength: number;
  readonly height: number;
}

function paintClouds(site: Site, { cover, seed, stretch, strength, height }: CloudSettings): Board {
  const { size, horizon, light } = site;
  // Clouds are soft and need few pixels.
  const detail = 0.55;
  const density = site.density * detail;
  const room = site.room(0.02);
  const left = -room.x - DRIFT * size.width;
  const top = -room.y;
  const pixels = textureSize(density, { width: size.width - 2 * left, height: horizon - top });
  const tile = fractalTile(512, { seed: site.seed + seed, cells: 7, octaves: 7, gain: 0.52 });
  const low = 0.52 - cover;
  const sunX = light.sun.x * size.width;
  const sunY = horizon - light.sun.height * size.height;
  const texture = paintTexture(pixels, (row, y) => {
    const worldY = y / density + top;
    const up = (horizon - worldY) / size.height;
    const far = (0.42 * height) / (up + 0.11);
    const v = far * 150;
    // Thinner where a pixel would hold many clouds.
    const fade = smoothstep(0.005, 0.1, up) * strength;
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const worldX = x / density + left;
      const u = ((worldX - size.width / 2) / size.height) * far * (115 / stretch);
      const thick = readTile(tile, u, v);
      const alpha = smoothstep(low, low + 0.34, thick) * fade;
      if (alpha < 0.004) continue;
      const dx = (sunX - worldX) / size.height;
      const dy = (sunY - worldY) / size.height;
      const away = Math.hypot(dx, dy) + 0.05;
      const toward = readTile(tile, u + (dx / away) * 7, v - (dy / away) * 5);
      const lit = clamp(0.55 + (thick - toward) * 2.1 - (thick - low) * 0.42);
      const lining = Math.exp(-away * 3.4) * (1 - clamp((thick - low) * 1.3)) * light.sun.strength;
      const color = mix(mix(light.cloudShade, light.cloudLit, lit), light.glow, clamp(lining * 0.85));
      const hazed = mix(color, light.horizon, smoothstep(0.2, 0, up) * 0.55);
      row[at] = hazed[0] + light.glow[0] * lining * 0.35;
      row[at + 1] = hazed[1] + light.glow[1] * lining * 0.35;
      row[at + 2] = hazed[2] + light.glow[2] * lining * 0.35;
      row[at + 3] = alpha;
    }
  });
  return { texture, left, top, depth: 0.02, detail };
}

/** A sea of clouds below the camera, up to the lower edge. */
export function createCloudSea(site: Site): Element {
  const { size, horizon, light } = site;
  const detail = 0.6;
  const density = site.density * detail;
  const room = site.room(0.3);
  const left = -room.x - DRIFT * size.width;
  const top = horizon - 0.012 * size.height;
  const pixels = textureSize(density, { width: size.width - 2 * left, height: size.height + room.y - top });
  const tile = fractalTile(512, { seed: site.seed + 31, cells: 8, octaves: 6, gain: 0.5, shape: 'billowy' });
  const side = light.sun.x < 0.5 ? -1 : 1;
  const texture = paintTexture(pixels, (row, y) => {
    const down = y / density / size.height;
    const far = 0.2 / (down + 0.03);
    const v = far * 190;
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const u = ((x / density + left) / size.height - 0.9) * far * 130;
      const thick = readTile(tile, u, v);
      const toward = readTile(tile, u + side * 5, v + 4);
      const lit = clamp(0.6 + (toward - thick) * 2.2 + thick * 0.5);
      const color = mix(light.cloudShade, light.cloudLit, lit);
      row.set(mix(color, light.horizon, smoothstep(0.2, 0, down) * 0.8), at);
      row[at + 3] = smoothstep(0, 0.018, down + thick * 0.008);
    }
  });
  const board: Board = { texture, left, top, depth: 0.3, detail };
  return { draw: (planes, view) => drawBoard(planes, site, board, view, drifted(site, view.seconds) * 0.5) };
}
