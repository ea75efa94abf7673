import { clamp, lerp, smoothstep } from '../../pixels/planes.ts';
import { fractalTile, noiseAlong, readTile } from '../noise.ts';
import { along, mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { type PaintRow, paintTexture } from '../texture.ts';
import { hills } from './lands.ts';
import { drawBoard, type Element, type Site, standing, textureSize } from './site.ts';
import { createLand } from './terrain.ts';

export function composeUnderwater(site: Site): readonly Element[] {
  const sea = seaColors(site);
  return [
    createDepths(site, sea),
    createBeams(site, sea),
    createSeabed(site, sea),
    createCaustics(site, sea),
  ];
}

interface SeaColors {
  readonly surface: Rgb;
  readonly middle: Rgb;
  readonly deep: Rgb;
}

function seaColors({ brief, light }: Site): SeaColors {
  const [named] = brief.colors;
  const dim = lerp(1, 0.4, light.dark) * brief.mood.light;
  const middle = named ?? rgb('#1c86b0');
  return {
    surface: scaled(named ? mix(named, [255, 255, 255], 0.55) : rgb('#9af0ea'), dim),
    middle: scaled(middle, dim),
    deep: scaled(named ? scaled(named, 0.22) : rgb('#06264e'), dim),
  };
}

/** Clear water, brighter where the sun is. */
function createDepths(site: Site, { surface, middle, deep }: SeaColors): Element {
  const { size, light } = site;
  const detail = 0.4;
  const density = site.density * detail;
  const { x: left, y: top } = site.room(0);
  const pixels = textureSize(density, { width: size.width + 2 * left, height: size.height + 2 * top });
  const sunAt = (light.sun.x * size.width) / size.height;
  const texture = paintTexture(
    pixels,
    (row, y) => {
      const v = (y / density - top) / size.height;
      const water = along([middle, mix(middle, deep, 0.55), deep], clamp(v * 0.95));
      for (let x = 0; x < pixels.width; x++) {
        const u = (x / density - left) / size.height;
        const sun = Math.exp(-Math.hypot(u - sunAt, (v + 0.08) * 1.5) * 2.3);
        row.set(mix(water, surface, clamp(sun * 1.15 + smoothstep(0.16, -0.1, v) * 0.4)), x * 4);
      }
    },
    { opaque: true },
  );
  return standing(site, { texture, left: -left, top: -top, depth: 0, detail });
}

interface ShineOptions {
  readonly depth: number;
  /** Where it begins, as a row of the frame. */
  readonly top: number;
  readonly columns: number;
  /** The brightness of a place, in heights of the frame from the middle of the upper edge. */
  readonly levelAt: (u: number, v: number, seconds: number) => number;
}

/** Moving light, repainted for every frame on a coarse grid. */
function createShine(
  site: Site,
  { surface }: SeaColors,
  { depth, top, columns, levelAt }: ShineOptions,
): Element {
  const { size } = site;
  const room = site.room(depth);
  const detail = Math.min(1, columns / (size.width * site.density));
  const density = site.density * detail;
  const from = top - (top === 0 ? room.y : 0);
  const pixels = textureSize(density, {
    width: size.width + 2 * room.x,
    height: size.height + room.y - from,
  });
  return {
    draw(planes, view) {
      const paint: PaintRow = (row, y) => {
        const v = (y / density + from - top) / size.height;
        for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
          const level = levelAt((x / density - room.x - size.width / 2) / size.height, v, view.seconds);
          for (let channel = 0; channel < 3; channel++)
            row[at + channel] = (surface[channel] as number) * level;
        }
      };
      const texture = paintTexture(pixels, paint, { premultiplied: true });
      drawBoard(planes, site, { texture, left: -room.x, top: from, depth, detail }, view);
    },
  };
}

/** Beams of light from the surface. */
function createBeams(site: Site, sea: SeaColors): Element {
  const { size, seed, light } = site;
  const sunAt = ((light.sun.x - 0.5) * size.width) / size.height;
  return createShine(site, sea, {
    depth: 0,
    top: 0,
    columns: 150,
    levelAt(u, v, seconds) {
      const angle = Math.atan2(u - sunAt, v + 0.55);
      const beam =
        noiseAlong(angle * 10 + seconds * 0.22, seed + 4) * 0.6 +
        noiseAlong(angle * 23 - seconds * 0.37, seed + 5) * 0.5;
      return smoothstep(-0.05, 0.85, beam) * smoothstep(1.5, 0.5, v + 0.55) * 0.5;
    },
  });
}

function createSeabed(site: Site, { middle, deep }: SeaColors): Element {
  const sand = mix(rgb('#d8cc9a'), middle, 0.35);
  const under: Site = {
    ...site,
    horizon: site.size.height * 0.62,
    light: {
      ...site.light,
      haze: mix(middle, deep, 0.55),
      sunlight: scaled(mix([255, 255, 255], middle, 0.35), 0.75),
      ambient: scaled(middle, 0.7),
    },
  };
  const colors = { low: sand, high: mix(sand, [255, 255, 255], 0.2), dry: scaled(sand, 0.75) };
  const land = { ...hills(under, { ...colors, rough: 1.1, grainy: 0.5 }), haze: 0.55, to: 5, eye: 0.3 };
  return createLand(under, land, { depth: 0.35, below: 0.8 });
}

/** The net of light on the ground. */
function createCaustics(site: Site, sea: SeaColors): Element {
  const net = fractalTile(256, { seed: site.seed + 71, cells: 14, octaves: 2, gain: 0.4, shape: 'ridged' });
  return createShine(site, sea, {
    depth: 0.35,
    top: site.size.height * 0.66,
    columns: 300,
    levelAt(u, v, seconds) {
      const far = 0.2 / (v + 0.07);
      const a = readTile(net, u * far * 80 + seconds * 6, far * 110 + seconds * 4);
      const b = readTile(net, u * far * 80 - seconds * 5 + 90, far * 110 - seconds * 5 + 33);
      return smoothstep(0.35, 0.95, Math.min(a, b) + 0.22) * smoothstep(0, 0.14, v) * 0.42;
    },
  });
}
