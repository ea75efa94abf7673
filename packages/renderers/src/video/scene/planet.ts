import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, readTile, type Tile } from '../noise.ts';
import { between, pick, seededRandom } from '../random.ts';
import { along, mix, type Rgb, rgb } from '../rgb.ts';
import { paintTexture, type Texture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

/** Pictures of the planet in a second. */
const STEPS = 6;

type World = 'earth' | 'gas' | 'desert' | 'ice';

const WORLDS: Readonly<Record<World, readonly Rgb[]>> = {
  earth: ['#0a2a5a', '#0f4a8a', '#2a7ab0', '#4a7a3a', '#a89a60', '#f4f8ff'].map(rgb),
  gas: ['#5a3a2a', '#a87a50', '#e0bf90', '#f4e4c4', '#c89a70'].map(rgb),
  desert: ['#4a1f12', '#8a3a1f', '#c2663a', '#e09a66', '#f2caa0'].map(rgb),
  ice: ['#1f3a5e', '#4a7aa0', '#8ab8d0', '#d0e8f0', '#ffffff'].map(rgb),
};

const NAMED: readonly (readonly [RegExp, World])[] = [
  [/\b(mars|red planet|desert planet|venus)\b/i, 'desert'],
  [/\b(earth|blue planet|home world)\b/i, 'earth'],
  [/\b(jupiter|saturn|gas giant)\b/i, 'gas'],
  [/\b(ice|frozen|neptune|uranus|pluto)\b/i, 'ice'],
];

/** A world that turns, with its air shining at the edge, and rings where they are asked for. */
export function createPlanet(site: Site, sky: readonly Rgb[], prompt: string): Element {
  const { size, seed, brief } = site;
  const random = seededRandom(seed, 'planet');
  const hasRings = brief.features.has('rings') || random() < 0.2;
  const drawn = pick(random, ['earth', 'desert', 'ice', 'gas', 'earth'] as const);
  const world: World = NAMED.find(([words]) => words.test(prompt))?.[1] ?? (hasRings ? 'gas' : drawn);
  const radius = size.height * (hasRings ? between(random, 0.2, 0.27) : between(random, 0.27, 0.42));
  const side = random() < 0.5 ? -1 : 1;
  const center = {
    x: size.width * (0.5 + side * between(random, 0.08, 0.2)),
    y: size.height * between(random, 0.48, 0.6),
  };
  const reach = radius * (hasRings ? 2.35 : 1.3);
  const detail = Math.min(1, 340 / (reach * 2 * site.density)) * (hasRings ? 1.5 : 1.15);
  const density = site.density * Math.min(1, detail);
  const pixels = textureSize({ density }, { width: reach * 2, height: reach * 2 });
  const surface = fractalTile(256, { seed: seed + 971, cells: 5, octaves: 6, gain: 0.55 });
  const clouds = fractalTile(256, { seed: seed + 972, cells: 6, octaves: 5, gain: 0.55 });
  const light = normalized(-side * 0.75, -0.42, 0.5);
  const air =
    world === 'earth' || world === 'ice'
      ? rgb('#6ab0ff')
      : mix(along(WORLDS[world], 0.7), sky[3] ?? [255, 255, 255], 0.4);
  const painting = {
    world,
    surface,
    clouds,
    light,
    air,
    hasRings,
    lean: between(random, -0.5, 0.5),
    flat: between(random, 0.2, 0.34),
  };
  const paintAt = (seconds: number): Texture =>
    paintTexture(
      pixels,
      (row, y) => {
        for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
          const px = ((x + 0.5) / density - reach) / radius;
          const py = ((y + 0.5) / density - reach) / radius;
          paintPoint(row, at, px, py, painting, seconds);
        }
      },
      { premultiplied: true },
    );
  let painted: { readonly step: number; readonly texture: Texture } | undefined;
  return {
    draw(planes, view) {
      // It turns by less than a pixel from step to step.
      const step = Math.floor(view.seconds * STEPS);
      if (painted?.step !== step) painted = { step, texture: paintAt(step / STEPS) };
      const { texture } = painted;
      drawBoard(
        planes,
        site,
        {
          texture,
          left: center.x - reach,
          top: center.y - reach,
          depth: 0.3,
          detail: density / site.density,
        },
        view,
      );
    },
  };
}

interface Painting {
  readonly world: World;
  readonly surface: Tile;
  readonly clouds: Tile;
  readonly light: readonly [number, number, number];
  readonly air: Rgb;
  readonly hasRings: boolean;
  readonly lean: number;
  readonly flat: number;
}

function paintPoint(
  row: Float32Array,
  at: number,
  x: number,
  y: number,
  painting: Painting,
  seconds: number,
): void {
  const away = Math.hypot(x, y);
  const { light, air } = painting;
  let color: Rgb = [0, 0, 0];
  let alpha = 0;
  if (away < 1.012) {
    const z = Math.sqrt(Math.max(0, 1 - away * away));
    const lit = x * light[0] + y * light[1] + z * light[2];
    const day = smoothstep(-0.12, 0.75, lit);
    const ground = surfaceColor(painting, x, y, z, seconds);
    const rim = (1 - z) ** 2.6;
    const shade = 0.025 + day;
    alpha = clamp((1.006 - away) * 130);
    color = [
      (ground[0] * shade + air[0] * rim * day * 0.85) * alpha,
      (ground[1] * shade + air[1] * rim * day * 0.85) * alpha,
      (ground[2] * shade + air[2] * rim * day * 0.85) * alpha,
    ];
  }
  if (away > 0.99) {
    const lit = clamp((x * light[0] + y * light[1]) / away + 0.35);
    const halo = Math.exp(-(away - 1) * 16) * lit * 0.5 * (1 - alpha);
    color = [color[0] + air[0] * halo, color[1] + air[1] * halo, color[2] + air[2] * halo];
  }
  if (painting.hasRings) ({ color, alpha } = withRing({ color, alpha }, x, y, painting));
  row[at] = color[0];
  row[at + 1] = color[1];
  row[at + 2] = color[2];
  row[at + 3] = alpha;
}

function surfaceColor(
  { world, surface, clouds }: Painting,
  x: number,
  y: number,
  z: number,
  seconds: number,
): Rgb {
  const longitude = (Math.atan2(x, z) / Math.PI) * 128 + seconds * 1.6;
  const latitude = (Math.asin(clamp(y, -1, 1)) / Math.PI) * 190;
  const colors = WORLDS[world];
  if (world === 'gas') {
    const swirl = readTile(surface, longitude * 0.6, latitude * 1.4);
    return along(
      colors,
      clamp(
        0.5 +
          0.36 * Math.sin(latitude * 0.22 + swirl * 1.9) +
          0.22 * readTile(clouds, longitude * 0.35, latitude * 3),
      ),
    );
  }
  const height = readTile(surface, longitude, latitude * 1.3);
  if (world !== 'earth') {
    const grain = readTile(clouds, longitude * 2.6, latitude * 2.6);
    return along(colors, clamp(0.48 + height * 0.52 + grain * 0.12 + (world === 'ice' ? y * y * 0.3 : 0)));
  }
  const isLand = smoothstep(0.05, 0.11, height);
  const sea = along(colors.slice(0, 3), clamp(0.6 + height));
  const land = along(colors.slice(3), clamp((height - 0.1) * 1.7 + Math.abs(y) ** 4));
  const cover = smoothstep(
    0.05,
    0.55,
    readTile(clouds, longitude * 1.1 + seconds * 0.5, latitude * 1.9 + 60),
  );
  return mix(mix(sea, land, isLand), [250, 252, 255], cover * 0.85);
}

function withRing(
  under: { readonly color: Rgb; readonly alpha: number },
  x: number,
  y: number,
  { lean, flat, light }: Painting,
): { color: Rgb; alpha: number } {
  const px = x * Math.cos(lean) + y * Math.sin(lean);
  const py = (y * Math.cos(lean) - x * Math.sin(lean)) / flat;
  const away = Math.hypot(px, py);
  const isBehind = py < 0 && Math.hypot(x, y) < 1;
  if (away < 1.3 || away > 2.3 || isBehind) return under;
  const stripes = 0.55 + 0.28 * Math.sin(away * 46) + 0.17 * Math.sin(away * 113 + 2);
  const gap = 1 - smoothstep(0.035, 0.012, Math.abs(away - 1.92));
  const alpha = clamp(stripes) * gap * smoothstep(1.3, 1.4, away) * smoothstep(2.3, 2.2, away) * 0.8;
  // The planet's shadow lies on the ring behind it.
  const shadow = px * light[0] < 0 && Math.abs(py * flat) < 1 && Math.abs(px) < 1.6 ? 0.45 : 1;
  const color = along([rgb('#8a7a66'), rgb('#e8d8b8'), rgb('#c4ac8a')], (away - 1.3) % 1);
  const mixed = (channel: 0 | 1 | 2): number => lerp(under.color[channel], color[channel] * shadow, alpha);
  return { color: [mixed(0), mixed(1), mixed(2)], alpha: under.alpha + (1 - under.alpha) * alpha };
}

function normalized(x: number, y: number, z: number): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
