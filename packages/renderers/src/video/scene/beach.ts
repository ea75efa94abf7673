import { clamp, smoothstep } from '../curves.ts';
import { fractalAlong, fractalTile, readTile } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { newCanvas, stamp, toTexture } from './canvas.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';
import { shadeOf } from './terrain.ts';
import { growTrees } from './trees.ts';

export const BEACH_DEPTH = 0.6;

/** Sand along the lower edge, with foam that comes and goes. */
export function createBeach(site: Site): Element {
  const { size, density, seed, light } = site;
  const room = site.room(BEACH_DEPTH);
  const left = -room.x;
  const top = size.height * 0.74;
  const pixels = textureSize(site, {
    width: size.width + 2 * room.x,
    height: size.height + room.y - top,
  });
  const grain = fractalTile(256, { seed: seed + 81, cells: 40, octaves: 3, gain: 0.6 });
  const lace = fractalTile(256, { seed: seed + 82, cells: 18, octaves: 3, gain: 0.6, shape: 'ridged' });
  const tilt = between(seededRandom(seed, 'beach'), -0.09, 0.09);
  const edge = Float32Array.from({ length: pixels.width }, (_, x) => {
    const u = x / density / size.height;
    return (0.075 + tilt * (u - 1) + fractalAlong(u * 1.7, seed + 83, 4) * 0.035) * size.height * density;
  });
  const sand = rgb('#e2c796');
  const unit = size.height * density;
  const beach = paintTexture(pixels, (row, y) => {
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const inland = (y - (edge[x] as number)) / unit;
      if (inland < -0.01) continue;
      const wet = smoothstep(0.07, 0.012, inland);
      const noise = readTile(grain, x * 0.8, y * 1.5);
      const color = mix(
        shadeOf(site, scaled(sand, 1 + noise * 0.09), 0.72),
        mix(shadeOf(site, rgb('#8a7250'), 0.6), light.horizon, 0.3),
        wet,
      );
      row.set(color, at);
      row[at + 3] = smoothstep(-0.008, 0.012, inland);
    }
  });
  const foam = paintTexture(pixels, (row, y) => {
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const inland = (y - (edge[x] as number)) / unit;
      const net = readTile(lace, x * (190 / unit), y * (420 / unit));
      const line =
        Math.exp(-(((inland - 0.004) / 0.006) ** 2)) +
        Math.exp(-(((inland + 0.03) / 0.016) ** 2)) * smoothstep(0.2, 0.75, net);
      row.set(mix(scaled([255, 255, 255], 1 - 0.6 * light.dark), light.horizon, 0.15), at);
      row[at + 3] = clamp(line) * 0.85;
    }
  });
  const boards: readonly Board[] = [beach, foam].map((texture) => ({
    texture,
    left,
    top,
    depth: BEACH_DEPTH,
  }));
  return {
    draw(planes, view) {
      const [ground, line] = boards;
      const reach = Math.sin(view.seconds * 0.8) * 0.012 * size.height;
      if (ground) drawBoard(planes, site, ground, view);
      if (line)
        drawBoard(planes, site, line, view, {
          dy: reach,
          opacity: 0.75 + 0.25 * Math.sin(view.seconds * 0.8 + 1),
        });
    },
  };
}

/** Palms that lean in from the sides. */
export function createPalms(site: Site): Element {
  const { size, seed, light } = site;
  const random = seededRandom(seed, 'palms');
  const room = site.room(0.85);
  const left = -room.x - 0.1 * size.width;
  const top = -room.y;
  const canvas = newCanvas(
    textureSize(site, { width: size.width * 1.2 + 2 * room.x, height: size.height + 2 * room.y }),
  );
  const unit = size.height * site.density;
  const sprites = growTrees('palm', random, { count: 3, height: Math.round(Math.min(560, unit * 0.9)) });
  const shade = (color: Rgb, share: number): Rgb => mix(shadeOf(site, color, share), light.haze, 0.04);
  const main = random() < 0.5 ? 0.2 : 0.8;
  for (const [index, place] of [main, main + (main < 0.5 ? -0.08 : 0.08), 1 - main].entries()) {
    const sprite = sprites[index];
    if (!sprite) continue;
    stamp(canvas, sprite, {
      x: (place * size.width - left) * site.density,
      y: canvas.height,
      height: unit * (index === 2 ? 0.62 : between(random, 0.85, 1.02)),
      flipped: place > 0.5,
      dark: shade(rgb('#1c2618'), 0.25),
      lit: shade(rgb('#7c9a48'), 0.7),
    });
  }
  const board: Board = { texture: toTexture(canvas), left, top, depth: 0.85 };
  const rows = new Float32Array(canvas.height);
  return {
    draw(planes, view) {
      for (let at = 0; at < rows.length; at++)
        rows[at] =
          Math.sin(view.seconds * 1.2) *
          (1 - at / rows.length) ** 2 *
          size.height *
          0.006 *
          (0.4 + site.brief.wind);
      drawBoard(planes, site, board, view, { sway: rows });
    },
  };
}
