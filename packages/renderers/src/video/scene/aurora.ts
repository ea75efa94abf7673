import { clamp, smoothstep } from '../curves.ts';
import { noiseAlong } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { along, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

/** Curtains of light in the night sky. */
export function createAurora(site: Site): Element {
  const { size, seed, horizon, brief } = site;
  const random = seededRandom(seed, 'aurora');
  const room = site.room(0);
  const detail = Math.min(1, 240 / (size.width * site.density));
  const density = site.density * detail;
  const pixels = textureSize({ density }, { width: size.width + 2 * room.x, height: horizon + room.y });
  const left = -room.x;
  const top = -room.y;
  const [own] = brief.lightColors;
  const colors: readonly Rgb[] = own
    ? [own, scaled(own, 0.8), rgb('#8a4ae0')]
    : [rgb('#7affb0'), rgb('#2ae0a0'), rgb('#3a8ae0'), rgb('#a04ae0')];
  const curtains = [0, 1, 2].map((index) => ({
    seed: Math.floor(random() * 1e6),
    height: 0.62 - index * 0.15,
    strength: 1 - index * 0.22,
  }));
  return {
    draw(planes, view) {
      const { seconds } = view;
      const columns = curtains.map((curtain) =>
        Array.from({ length: pixels.width }, (_, x) => {
          const u = x / pixels.width;
          const foot =
            curtain.height +
            noiseAlong(u * 2.3 + seconds * 0.1, curtain.seed) * 0.12 +
            noiseAlong(u * 6 - seconds * 0.16, curtain.seed + 1) * 0.035;
          const rays =
            0.5 +
            0.35 * noiseAlong(u * 21 + seconds * 0.5, curtain.seed + 2) +
            0.25 * noiseAlong(u * 58 - seconds * 0.9, curtain.seed + 3);
          const part = smoothstep(-0.55, 0.35, noiseAlong(u * 1.6 - seconds * 0.07, curtain.seed + 4));
          return {
            foot,
            level: clamp(rays) * part * curtain.strength,
            tall: 0.42 + 0.16 * noiseAlong(u * 9 + seconds * 0.3, curtain.seed + 5),
          };
        }),
      );
      const texture = paintTexture(
        pixels,
        (row, y) => {
          const v = y / pixels.height;
          for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
            for (const column of columns) {
              const here = column[x];
              if (!here) continue;
              const up = (here.foot - v) / here.tall;
              if (up < -0.1 || up > 1.6) continue;
              const level = smoothstep(-0.1, 0.06, up) * Math.exp(-Math.max(0, up) * 2.5) * here.level * 1.25;
              const color = along(colors, clamp(up * 1.05));
              row[at] = (row[at] as number) + color[0] * level;
              row[at + 1] = (row[at + 1] as number) + color[1] * level;
              row[at + 2] = (row[at + 2] as number) + color[2] * level;
            }
          }
        },
        { premultiplied: true },
      );
      drawBoard(planes, site, { texture, left, top, depth: 0, detail }, view);
    },
  };
}
