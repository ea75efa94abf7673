import { clamp, smoothstep } from '../../pixels/planes.ts';
import { fractalTile, readTile, type Tile } from '../noise.ts';
import type { Size } from '../planes.ts';
import { between, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import type { Light } from './light.ts';
import { type Element, type Site, standing, textureSize } from './site.ts';

/** The open sky: colors, sun or moon, stars. It covers the whole frame. */
export function createSky(site: Site): Element {
  const { size, density, horizon, light } = site;
  const room = site.room(0);
  const pixels = textureSize(density, {
    width: size.width + 2 * room.x,
    height: horizon + 2 * room.y,
  });
  const stars = light.dark > 0.3 ? scatterStars(site, pixels) : undefined;
  const sunX = light.sun.x * size.width;
  const sunY = horizon - light.sun.height * size.height;
  const face = fractalTile(128, { seed: site.seed + 5, cells: 4, octaves: 4 });
  const texture = paintTexture(
    pixels,
    (row, y) => {
      const worldY = y / density - room.y;
      const base = skyColor(light, (horizon - worldY) / size.height);
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const dx = (x / density - room.x - sunX) / size.height;
        const color = withSun(base, light, { dx, dy: (worldY - sunY) / size.height, face });
        const star = stars ? (stars[y * pixels.width + x] as number) : 0;
        row[at] = color[0] + star;
        row[at + 1] = color[1] + star;
        row[at + 2] = color[2] + star * 1.08;
      }
    },
    { opaque: true },
  );
  return standing(site, { texture, left: -room.x, top: -room.y, depth: 0 });
}

/** `up` is the height above the horizon, in heights of the frame. */
function skyColor({ zenith, middle, horizon }: Light, up: number): Rgb {
  const at = clamp(up / 0.62, 0, 1.3);
  if (at < 0.4) return mix(horizon, middle, (at / 0.4) ** 0.75);
  return mix(middle, zenith, Math.min(1, (at - 0.4) / 0.6) ** 0.9);
}

interface AroundSun {
  /** From the sun, in heights of the frame. */
  readonly dx: number;
  readonly dy: number;
  readonly face: Tile;
}

function withSun(base: Rgb, { glow, sun }: Light, { dx, dy, face }: AroundSun): Rgb {
  if (sun.strength === 0)
    return mix(base, glow, Math.exp(-(Math.hypot(dx * 0.55, dy * 1.3) ** 1.2) * 2.2) * 0.55);
  const away = Math.hypot(dx, dy);
  const low = sun.height < 0.2 ? 1 : 0;
  const [reach, share, tightReach, tightShare, radius] = sun.isMoon
    ? [4.5, 0.3, 18, 0.35, 0.036]
    : [3, 0.75, 11, 0.9, 0.032];
  const wide = Math.exp(-Math.hypot(dx * (1 - 0.4 * low), dy * (1 + 0.3 * low)) * reach) * share;
  const tight = Math.exp(-away * tightReach) * tightShare;
  const disk = smoothstep(radius + 0.004, radius - 0.004, away) * sun.strength;
  const shone = mix(mix(base, glow, clamp(wide * sun.strength)), sun.color, clamp(tight * sun.strength));
  if (disk === 0) return shone;
  const peak = sun.isMoon
    ? 1 - 0.24 * smoothstep(-0.1, 0.5, readTile(face, dx * 1500 + 40, dy * 1500 + 40))
    : 1.25;
  return mix(shone, [sun.color[0] * peak, sun.color[1] * peak, sun.color[2] * peak], disk);
}

/** The brightness that stars add. Most are faint, and many are in the Milky Way. */
function scatterStars(site: Site, pixels: Size): Float32Array {
  const { brief, light, horizon, density } = site;
  const random = seededRandom(site.seed, 'stars');
  const sky = new Float32Array(pixels.width * pixels.height);
  const isStarry = brief.has('stars') || brief.has('milkyWay');
  const band = brief.has('milkyWay') || (isStarry && random() < 0.6) ? galaxyBand(site, random) : undefined;
  const ground = (horizon + site.room(0).y) * density;
  // Stars fade in the haze above the horizon.
  const fade = (y: number): number => smoothstep(1, 0.55, y);
  if (band) {
    for (let at = 0; at < sky.length; at++) {
      const y = Math.floor(at / pixels.width) / ground;
      sky[at] = band((at % pixels.width) / pixels.width, y) * 62 * fade(y);
    }
  }
  const scale = Math.max(0.75, pixels.width / 1500);
  for (let star = 0; star < 3000 * (isStarry ? 2 : 1) * light.dark; star++) {
    const x = random();
    const y = random() ** 1.15;
    const magnitude = random() ** 7;
    if (random() > 0.45 + (band ? band(x, y) * 1.2 : 0.25)) continue;
    addStar(sky, pixels, {
      x: x * pixels.width,
      y: y * ground,
      level: (26 + 330 * magnitude) * fade(y) * light.dark,
      radius: scale * (0.8 + 1.5 * magnitude),
    });
  }
  return sky;
}

function galaxyBand(site: Site, random: Random): (x: number, y: number) => number {
  const dust = fractalTile(256, { seed: site.seed + 91, cells: 5, octaves: 6, gain: 0.6 });
  const tilt = between(random, 0.5, 1.1) * (random() < 0.5 ? -1 : 1);
  const through = between(random, 0.3, 0.7);
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  return (x, y) => {
    const dx = (x - through) * 1.78;
    const dy = y - 0.45;
    const across = dx * sin - dy * cos;
    const along = dx * cos + dy * sin;
    const noise = readTile(dust, along * 190 + 60, across * 260 + 60);
    const wobble = across + noise * 0.05;
    const lane = 1 - 0.75 * smoothstep(0.055, 0, Math.abs(wobble - 0.015)) * smoothstep(-0.35, 0.5, noise);
    const shape = Math.exp(-((wobble / 0.17) ** 2)) * (0.65 + 0.35 * Math.cos(along * 2.5));
    return clamp(shape * (0.75 + 0.55 * noise) * lane);
  };
}

interface Star {
  readonly x: number;
  readonly y: number;
  readonly level: number;
  readonly radius: number;
}

function addStar(sky: Float32Array, { width, height }: Size, { x, y, level, radius }: Star): void {
  for (let row = Math.max(0, Math.floor(y - radius)); row <= Math.min(height - 1, y + radius); row++) {
    for (
      let column = Math.max(0, Math.floor(x - radius));
      column <= Math.min(width - 1, x + radius);
      column++
    ) {
      const inside = 1 - ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) / (radius * radius);
      const at = row * width + column;
      if (inside > 0) sky[at] = (sky[at] as number) + level * inside * inside;
    }
  }
}
