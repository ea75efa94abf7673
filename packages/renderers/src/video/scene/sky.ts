import { clamp, smoothstep } from '../curves.ts';
import { fractalTile, readTile, type Tile } from '../noise.ts';
import { drawDot } from '../particles/dots.ts';
import { toYuv } from '../planes.ts';
import { between, type Random, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import type { Light } from './light.ts';
import { drawBoard, type Element, project, type Site, textureSize } from './site.ts';

/** The open sky: colors, sun or moon, stars. It covers the whole frame. */
export function createSky(site: Site): Element {
  const { size, density, horizon, light } = site;
  const room = site.room(0);
  const left = -room.x;
  const top = -room.y;
  const pixels = textureSize(site, {
    width: size.width + 2 * room.x,
    height: horizon - top + room.y,
  });
  const stars = light.dark > 0.3 ? scatterStars(site, pixels) : undefined;
  const sunX = light.sun.x * size.width;
  const sunY = horizon - light.sun.height * size.height;
  const face = fractalTile(128, { seed: site.seed + 5, cells: 4, octaves: 4 });
  const texture = paintTexture(
    pixels,
    (row, y) => {
      const worldY = y / density + top;
      const base = skyColor(light, (horizon - worldY) / size.height);
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const worldX = x / density + left;
        const dx = (worldX - sunX) / size.height;
        const dy = (worldY - sunY) / size.height;
        const color = withSun(base, light, { dx, dy, face, isCel: site.isCel });
        const star = stars ? (stars[y * pixels.width + x] as number) : 0;
        row[at] = color[0] + star;
        row[at + 1] = color[1] + star;
        row[at + 2] = color[2] + star * 1.08;
      }
    },
    { opaque: true },
  );
  const board = { texture, left, top, depth: 0 };
  const twinkling = light.dark > 0.3 ? createTwinkle(site) : undefined;
  return {
    draw(planes, view) {
      drawBoard(planes, site, board, view);
      twinkling?.draw(planes, view);
    },
  };
}

/** `up` is the height above the horizon, in heights of the frame. */
export function skyColor({ zenith, middle, horizon }: Light, up: number): Rgb {
  const at = clamp(up / 0.62, 0, 1.3);
  if (at < 0.4) return mix(horizon, middle, (at / 0.4) ** 0.75);
  return mix(middle, zenith, Math.min(1, (at - 0.4) / 0.6) ** 0.9);
}

interface AroundSun {
  /** From the sun, in heights of the frame. */
  readonly dx: number;
  readonly dy: number;
  readonly face: Tile;
  readonly isCel: boolean;
}

function withSun(base: Rgb, { glow, sun }: Light, { dx, dy, face, isCel }: AroundSun): Rgb {
  if (sun.strength === 0) {
    const wide = Math.exp(-(Math.hypot(dx * 0.55, dy * 1.3) ** 1.2) * 2.2) * 0.55;
    return mix(base, glow, wide);
  }
  const away = Math.hypot(dx, dy);
  const low = sun.height < 0.2 ? 1 : 0;
  const wide =
    Math.exp(-Math.hypot(dx * (1 - 0.4 * low), dy * (1 + 0.3 * low)) * (sun.isMoon ? 4.5 : 3)) *
    (sun.isMoon ? 0.3 : 0.75);
  const tight = Math.exp(-away * (sun.isMoon ? 18 : 11)) * (sun.isMoon ? 0.35 : 0.9);
  const radius = sun.isMoon ? 0.036 : isCel ? 0.05 : 0.032;
  const edge = isCel ? 0.002 : 0.004;
  const disk = smoothstep(radius + edge, radius - edge, away) * sun.strength;
  const shone = mix(mix(base, glow, clamp(wide * sun.strength)), sun.color, clamp(tight * sun.strength));
  const maria =
    sun.isMoon && disk > 0
      ? 1 - 0.24 * smoothstep(-0.1, 0.5, readTile(face, dx * 1500 + 40, dy * 1500 + 40))
      : 1;
  const peak = sun.isMoon ? maria : 1.25;
  return mix(shone, [sun.color[0] * peak, sun.color[1] * peak, sun.color[2] * peak], disk);
}

/** Brightness that stars add; most are faint, and many in the band of the Milky Way. */
function scatterStars(site: Site, pixels: { readonly width: number; readonly height: number }): Float32Array {
  const { brief, light, horizon, density } = site;
  const random = seededRandom(site.seed, 'stars');
  const sky = new Float32Array(pixels.width * pixels.height);
  const hasBand = brief.features.has('milky way') || (brief.features.has('stars') && random() < 0.6);
  const band = hasBand ? galaxyBand(site, random) : undefined;
  const ground = (horizon + site.room(0).y) * density;
  if (band) {
    for (let y = 0, at = 0; y < pixels.height; y++) {
      for (let x = 0; x < pixels.width; x++, at++)
        sky[at] = band(x / pixels.width, y / ground) * 62 * fadeLow(y / ground);
    }
  }
  const starry = brief.features.has('stars') || hasBand ? 2 : 1;
  const count = Math.round(1500 * starry * light.dark);
  const scale = Math.max(0.75, pixels.width / 1500);
  for (let star = 0; star < count * 2; star++) {
    const x = random();
    const y = random() ** 1.15;
    const magnitude = random() ** 7;
    const keep = random();
    if (keep > 0.45 + (band ? band(x, y) * 1.2 : 0.25)) continue;
    const level = (26 + 330 * magnitude) * fadeLow(y) * light.dark;
    addStar(sky, pixels, {
      x: x * pixels.width,
      y: y * ground,
      level,
      radius: scale * (0.8 + 1.5 * magnitude),
    });
  }
  return sky;
}

/** Stars drown in the haze above the horizon. */
function fadeLow(y: number): number {
  return smoothstep(1, 0.55, y);
}

function galaxyBand(site: Site, random: Random): (x: number, y: number) => number {
  const dust = fractalTile(256, { seed: site.seed + 91, cells: 5, octaves: 6, gain: 0.6 });
  const tilt = between(random, 0.5, 1.1) * (random() < 0.5 ? -1 : 1);
  const through = between(random, 0.3, 0.7);
  const { cos, sin } = { cos: Math.cos(tilt), sin: Math.sin(tilt) };
  return (x, y) => {
    const dx = (x - through) * 1.78;
    const dy = y - 0.45;
    const across = dx * sin - dy * cos;
    const along = dx * cos + dy * sin;
    const noise = readTile(dust, along * 190 + 60, across * 260 + 60);
    const wobble = across + noise * 0.05;
    const lane = 1 - 0.75 * smoothstep(0.055, 0, Math.abs(wobble - 0.015)) * smoothstep(-0.35, 0.5, noise);
    return clamp(
      Math.exp(-((wobble / 0.17) ** 2)) *
        (0.75 + 0.55 * noise) *
        lane *
        (0.65 + 0.35 * Math.cos(along * 2.5)),
    );
  };
}

function addStar(
  sky: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  {
    x,
    y,
    level,
    radius,
  }: { readonly x: number; readonly y: number; readonly level: number; readonly radius: number },
): void {
  for (let row = Math.floor(y - radius); row <= y + radius; row++) {
    for (let column = Math.floor(x - radius); column <= x + radius; column++) {
      if (row < 0 || column < 0 || row >= height || column >= width) continue;
      const inside = 1 - ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) / (radius * radius);
      if (inside > 0)
        sky[row * width + column] = (sky[row * width + column] as number) + level * inside * inside;
    }
  }
}

function createTwinkle(site: Site): Element {
  const { size, horizon } = site;
  const random = seededRandom(site.seed, 'twinkle');
  const room = site.room(0);
  const tints = [rgb('#cfe0ff'), rgb('#ffffff'), rgb('#ffe8cc')].map(toYuv);
  const stars = Array.from({ length: Math.round(70 * site.light.dark) }, (_, index) => ({
    x: random() * (size.width + 2 * room.x) - room.x,
    y: random() ** 1.3 * horizon * 0.8,
    phase: random() * 9,
    pace: between(random, 1.5, 4),
    size: between(random, 0.6, 1),
    color: tints[index % tints.length],
  }));
  return {
    draw(planes, view) {
      const { seconds } = view;
      const { scale, left, top } = project(site, view, 0);
      for (const { x, y, phase, pace, size: large, color } of stars) {
        if (!color) continue;
        const level = 0.5 + 0.5 * Math.sin(seconds * pace + phase);
        const radius = Math.max(1.1, size.height * 0.0034) * large;
        drawDot(planes, {
          x: x * scale + left,
          y: y * scale + top,
          radius,
          color,
          strength: level * 0.9,
          covers: false,
        });
      }
    },
  };
}
