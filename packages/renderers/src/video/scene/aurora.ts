import { clamp, smoothstep } from '../../pixels/planes.ts';
import { noiseAlong } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { along, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

/** Curtains of light in the night sky. */
export function createAurora(site: Site): Element {
  const { size, horizon, brief } = site;
  const random = seededRandom(site.seed, 'aurora');
  const room = site.room(0);
  // Few pixels, because it is repainted for every frame.
  const detail = Math.min(1, 192 / (size.width * site.density));
  const pixels = textureSize(site.density * detail, {
    width: size.width + 2 * room.x,
    height: horizon + room.y,
  });
  const [own] = brief.lightColors;
  const colors: readonly Rgb[] = own
    ? [own, scaled(own, 0.8), rgb('#8a4ae0')]
    : [rgb('#7affb0'), rgb('#2ae0a0'), rgb('#3a8ae0'), rgb('#a04ae0')];
  const ramp = rampOf(colors);
  const curtains = [0, 1, 2].map((index) => ({
    seed: Math.floor(random() * 1e6),
    height: 0.62 - index * 0.15,
    strength: 1 - index * 0.22,
  }));
  return {
    draw(planes, view) {
      const columns = Array.from({ length: pixels.width }, (_, x) =>
        curtains.map((curtain) => columnOf(curtain, x / pixels.width, view.seconds)),
      );
      const texture = paintTexture(
        pixels,
        (row, y) => {
          for (const [x, column] of columns.entries()) {
            for (const { foot, level, tall } of column) {
              const at = Math.floor(((foot - y / pixels.height) / tall - FOOT) * RAMP_STEPS) * 3;
              if (at < 0 || at >= ramp.length) continue;
              for (let channel = 0; channel < 3; channel++)
                row[x * 4 + channel] =
                  (row[x * 4 + channel] as number) + (ramp[at + channel] as number) * level;
            }
          }
        },
        { premultiplied: true },
      );
      drawBoard(planes, site, { texture, left: -room.x, top: -room.y, depth: 0, detail }, view);
    },
  };
}

/** Where a curtain begins and ends, in parts of its height. */
const FOOT = -0.1;
const TOP = 1.6;
const RAMP_STEPS = 256;

/** The light of a curtain from its foot to its top: red, green and blue of each step. */
function rampOf(colors: readonly Rgb[]): Float32Array {
  const ramp = new Float32Array(Math.ceil((TOP - FOOT) * RAMP_STEPS) * 3);
  for (let at = 0; at < ramp.length; at += 3) {
    const up = FOOT + (at / 3 + 0.5) / RAMP_STEPS;
    const light = smoothstep(FOOT, 0.06, up) * Math.exp(-Math.max(0, up) * 2.5) * 1.25;
    ramp.set(scaled(along(colors, up * 1.05), light), at);
  }
  return ramp;
}

interface Curtain {
  readonly seed: number;
  readonly height: number;
  readonly strength: number;
}

function columnOf({ seed, height, strength }: Curtain, u: number, seconds: number) {
  const noise = (across: number, pace: number, line: number): number =>
    noiseAlong(u * across + seconds * pace, seed + line);
  const rays = clamp(0.5 + 0.35 * noise(21, 0.5, 2) + 0.25 * noise(58, -0.9, 3));
  return {
    foot: height + noise(2.3, 0.1, 0) * 0.12 + noise(6, -0.16, 1) * 0.035,
    level: rays * smoothstep(-0.55, 0.35, noise(1.6, -0.07, 4)) * strength,
    tall: 0.42 + 0.16 * noise(9, 0.3, 5),
  };
}
