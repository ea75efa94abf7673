import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, noiseAlong, readTile } from '../noise.ts';
import { between, pick, seededRandom } from '../random.ts';
import { along, mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { newCanvas, stamp, toTexture } from './canvas.ts';
import { createFish } from './fish.ts';
import { createJellyfish } from './jellyfish.ts';
import { hills } from './lands.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';
import { paintLand } from './terrain.ts';
import { growTrees } from './trees.ts';

/** The sea from below: light from above, sand, corals, weed, and who lives there. */
export function composeUnderwater(site: Site): readonly Element[] {
  const { brief } = site;
  const sea = seaColors(site);
  const elements: Element[] = [createDepths(site, sea), createBeams(site, sea)];
  elements.push(createSchools(site, sea, { depth: 0.12, size: 0.028, count: 30 }));
  elements.push(createSeabed(site, sea), createCaustics(site, sea));
  elements.push(...[0, 1].map((row) => createReef(site, sea, row)));
  if (brief.features.has('jellyfish')) elements.push(createJellyfish(site));
  elements.push(
    createSchools(site, sea, { depth: 0.5, size: 0.075, count: brief.features.has('fish') ? 14 : 7 }),
  );
  return elements;
}

interface SeaColors {
  readonly surface: Rgb;
  readonly middle: Rgb;
  readonly deep: Rgb;
}

function seaColors({ brief, light }: Site): SeaColors {
  const [named] = brief.colors;
  const dim = lerp(1, 0.4, light.dark) * brief.mood.light;
  const base = named
    ? [mix(named, [255, 255, 255], 0.55), named, scaled(named, 0.22)]
    : [rgb('#9af0ea'), rgb('#1c86b0'), rgb('#06264e')];
  const [surface, middle, deep] = base.map((color) => scaled(color, dim));
  return { surface: surface ?? [0, 0, 0], middle: middle ?? [0, 0, 0], deep: deep ?? [0, 0, 0] };
}

function createDepths(site: Site, { surface, middle, deep }: SeaColors): Element {
  const { size, light } = site;
  const detail = 0.4;
  const density = site.density * detail;
  const room = site.room(0);
  const left = -room.x;
  const top = -room.y;
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + 2 * room.y },
  );
  const texture = paintTexture(
    pixels,
    (row, y) => {
      const v = (y / density + top) / size.height;
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const u = (x / density + left) / size.height;
        const sun = Math.exp(
          -Math.hypot(u - (light.sun.x * size.width) / size.height, (v + 0.08) * 1.5) * 2.3,
        );
        const color = mix(
          along([middle, mix(middle, deep, 0.55), deep], clamp(v * 0.95)),
          surface,
          clamp(sun * 1.15 + smoothstep(0.16, -0.1, v) * 0.4),
        );
        row.set(color, at);
      }
    },
    { opaque: true },
  );
  const board: Board = { texture, left, top, depth: 0, detail };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}

/** Beams of light from the surface. */
function createBeams(site: Site, { surface }: SeaColors): Element {
  const { size, seed, light } = site;
  const detail = Math.min(1, 150 / (size.width * site.density));
  const density = site.density * detail;
  const room = site.room(0);
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + 2 * room.y },
  );
  const from = { x: light.sun.x * size.width + room.x, y: -0.55 * size.height + room.y };
  return {
    draw(planes, view) {
      const { seconds } = view;
      const texture = paintTexture(
        pixels,
        (row, y) => {
          for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
            const dy = y / density - from.y;
            const angle = Math.atan2(x / density - from.x, dy);
            const beam =
              noiseAlong(angle * 10 + seconds * 0.22, seed + 4) * 0.6 +
              noiseAlong(angle * 23 - seconds * 0.37, seed + 5) * 0.5;
            const level = smoothstep(-0.05, 0.85, beam) * smoothstep(1.5, 0.5, dy / size.height) * 0.5;
            row[at] = surface[0] * level;
            row[at + 1] = surface[1] * level;
            row[at + 2] = surface[2] * level;
          }
        },
        { premultiplied: true },
      );
      drawBoard(planes, site, { texture, left: -room.x, top: -room.y, depth: 0, detail }, view);
    },
  };
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
  const land = {
    ...hills(
      under,
      { low: sand, high: mix(sand, [255, 255, 255], 0.2), dry: scaled(sand, 0.75) },
      { rough: 1.1, grainy: 0.5 },
    ),
    haze: 0.55,
    to: 5,
    eye: 0.3,
  };
  const { canvas, left, top } = paintLand(under, land, { below: 0.6, depth: 0.35 });
  const board: Board = { texture: toTexture(canvas), left, top, depth: 0.35 };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}

/** The net of light that the surface throws on the ground. */
function createCaustics(site: Site, { surface }: SeaColors): Element {
  const { size, seed } = site;
  const net = fractalTile(256, { seed: seed + 71, cells: 14, octaves: 2, gain: 0.4, shape: 'ridged' });
  const room = site.room(0.35);
  const top = size.height * 0.66;
  const detail = Math.min(1, 300 / (size.width * site.density));
  const density = site.density * detail;
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + room.y - top },
  );
  return {
    draw(planes, view) {
      const { seconds } = view;
      const texture = paintTexture(
        pixels,
        (row, y) => {
          const down = y / density / size.height;
          const far = 0.2 / (down + 0.07);
          const level = smoothstep(0, 0.14, down) * 0.42;
          for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
            const u = ((x / pixels.width - 0.5) * size.width) / size.height;
            const a = readTile(net, u * far * 80 + seconds * 6, far * 110 + seconds * 4);
            const b = readTile(net, u * far * 80 - seconds * 5 + 90, far * 110 - seconds * 5 + 33);
            const line = smoothstep(0.35, 0.95, Math.min(a, b) + 0.22) * level;
            row[at] = surface[0] * line;
            row[at + 1] = surface[1] * line;
            row[at + 2] = surface[2] * line;
          }
        },
        { premultiplied: true },
      );
      drawBoard(planes, site, { texture, left: -room.x, top, depth: 0.35, detail }, view);
    },
  };
}

const CORALS: readonly [Rgb, ...Rgb[]] = [
  rgb('#ff6a6a'),
  rgb('#ff9a4a'),
  rgb('#e04a9a'),
  rgb('#ffd05a'),
  rgb('#9a6af0'),
  rgb('#4ad0b0'),
];

/** Corals and weed along the lower edge; the weed sways. */
function createReef(site: Site, { middle, deep }: SeaColors, row: number): Element {
  const { size, seed, brief } = site;
  const random = seededRandom(seed + row, 'reef');
  const near = row;
  const room = site.room(lerp(0.45, 0.85, near));
  const left = -room.x;
  const tall = lerp(0.26, 0.4, near);
  const top = size.height * (lerp(0.86, 1.06, near) - tall);
  const canvas = newCanvas(textureSize(site, { width: size.width + 2 * room.x, height: size.height * tall }));
  const unit = size.height * site.density;
  const fans = growTrees('bare', random, { count: 4, height: Math.round(Math.min(400, unit * 0.25)) });
  const heads = growTrees('broadleaf', random, { count: 3, height: Math.round(Math.min(300, unit * 0.18)) });
  const rich = brief.features.has('reef') ? 1.5 : 1;
  const far = lerp(0.5, 0.15, near);
  for (let plant = 0; plant < Math.round((canvas.width / unit) * 13 * rich); plant++) {
    const isFan = random() < 0.45;
    const sprites = isFan ? fans : heads;
    const sprite = sprites[Math.floor(random() * sprites.length)];
    const color = pick(random, CORALS);
    // The middle stays open.
    const aside = random() < 0.5 ? random() ** 1.5 * 0.42 : 1 - random() ** 1.5 * 0.42;
    if (!sprite) continue;
    stamp(canvas, sprite, {
      x: aside * canvas.width,
      y: canvas.height * 1.02 + (isFan ? 0 : unit * 0.03),
      height: unit * between(random, 0.08, isFan ? 0.24 : 0.15) * lerp(0.7, 1.15, near),
      dark: mix(scaled(color, 0.3), deep, 0.45 + far * 0.3),
      lit: mix(scaled(color, 1.05), middle, far),
    });
  }
  const board: Board = { texture: toTexture(canvas), left, top, depth: lerp(0.45, 0.85, near) };
  const rows = new Float32Array(canvas.height);
  return {
    draw(planes, view) {
      for (let at = 0; at < rows.length; at++) {
        const up = 1 - at / rows.length;
        rows[at] = Math.sin(view.seconds * 1.3 + row * 2 + up * 2.5) * up ** 1.5 * size.height * 0.009;
      }
      drawBoard(planes, site, board, view, { sway: rows });
    },
  };
}

function createSchools(
  site: Site,
  { middle, deep }: SeaColors,
  school: { readonly depth: number; readonly size: number; readonly count: number },
): Element {
  const far = smoothstep(0.7, 0, school.depth);
  return createFish(site, {
    ...school,
    colors: CORALS.map((color) => mix(mix(color, [255, 255, 255], 0.15), mix(middle, deep, 0.4), far * 0.85)),
  });
}
