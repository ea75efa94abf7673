import { clamp, smoothstep } from '../curves.ts';
import { hsl } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

/** An arc over the land, on the side away from the sun. */
export function createRainbow(site: Site): Element {
  const { size, horizon, light } = site;
  const detail = 0.4;
  const density = site.density * detail;
  const room = site.room(0.03);
  const pixels = textureSize({ density }, { width: size.width + 2 * room.x, height: horizon + room.y });
  const center = {
    x: size.width * (light.sun.x < 0.5 ? 0.62 : 0.38) + room.x,
    y: horizon + 0.16 * size.height + room.y,
  };
  const radius = size.height * 0.72;
  const texture = paintTexture(
    pixels,
    (row, y) => {
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const away =
          (Math.hypot(x / density - center.x, y / density - center.y) - radius) / (size.height * 0.045);
        if (away < -1 || away > 1) continue;
        const color = hsl(0.78 * (0.5 - away / 2), 0.9, 0.5);
        const level = smoothstep(1, 0.6, Math.abs(away)) * 0.42 * clamp(y / pixels.height + 0.35);
        row[at] = color[0] * level;
        row[at + 1] = color[1] * level;
        row[at + 2] = color[2] * level;
      }
    },
    { premultiplied: true },
  );
  const board = { texture, left: -room.x, top: -room.y, depth: 0.03, detail };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}
