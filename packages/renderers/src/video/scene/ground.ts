import { clamp, smoothstep } from '../curves.ts';
import { fractalAlong } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { type Canvas, dab, stamp, toTexture } from './canvas.ts';
import { createFlora, type Flowers, flowersOf } from './flora.ts';
import { treeColors, treeKind, treesFor } from './forest.ts';
import { dunes, type HillColors, hills } from './lands.ts';
import { drawBoard, type Element, type Site } from './site.ts';
import type { Anchor, Anchors } from './subjects.ts';
import { type Land, type LandPicture, paintLand, shadeOf } from './terrain.ts';

/** Land up to the camera, places to stand on it, and what grows right before the camera. */
export interface Ground {
  /** The far land, and the land on which the camera stands. */
  readonly back: readonly Element[];
  readonly front: readonly Element[];
  readonly growth: readonly Element[];
  readonly anchors: Anchors;
}

interface Band {
  /** Distances from the camera, in heights of the frame. */
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** How far its foot goes on downwards, in heights of the frame. */
  readonly below: number;
}

/** Land is cut into bands that the camera moves past each other. They overlap by more than it does. */
const BANDS: readonly Band[] = [
  { from: 2.1, to: 9, depth: 0.24, below: 0.14 },
  { from: 0.95, to: 3.1, depth: 0.4, below: 0.1 },
  { from: 0.3, to: 1.3, depth: 0.6, below: 0.6 },
];

/** Where a band begins to give way to the next one, as a part of its end. */
const FADES = 0.86;

const MEADOW: HillColors = { low: rgb('#4c7a34'), high: rgb('#86a83e'), dry: rgb('#a89a58') };
const SNOW: HillColors = { low: rgb('#dfe9f8'), high: rgb('#fbfdff'), dry: rgb('#b8c8e4') };
const AUTUMN: HillColors = { low: rgb('#7a6a30'), high: rgb('#b08a3c'), dry: rgb('#a06a38') };
const ROCK: HillColors = { low: rgb('#8a4a30'), high: rgb('#b06a44'), dry: rgb('#9a5a3c') };
const ASH: HillColors = { low: rgb('#3a3836'), high: rgb('#55504a'), dry: rgb('#4a423e') };

export function composeGround(site: Site, prompt: string): Ground {
  const { brief } = site;
  const { ground, features } = brief;
  const isForest = features.has('forest');
  const isBarren = features.has('canyon') || features.has('volcano');
  const flowers = features.has('flowers') && !isBarren ? flowersOf(site, prompt) : undefined;
  const land = withRoad(site, landOf(site));
  const bands = flowers && areInRows(flowers) ? BANDS.map((band) => ({ ...band, depth: 0.42 })) : BANDS;
  const pictures = bands.map((band) => paintBand(site, land, band));
  const trees =
    ground === 'dunes' || isBarren ? 0 : ground === 'snow' ? (isForest ? 26 : 9) : isForest ? 60 : 14;
  for (const [index, picture] of pictures.entries()) {
    if (flowers) sowFlowers(site, picture, flowers);
    soften(site, picture, land, BANDS[index]?.to ?? land.to);
  }
  plantTrees(site, pictures, trees);
  const [far, middle, near] = pictures.map(({ canvas, left, top, depth }): Element => {
    const board = { texture: toTexture(canvas), left, top, depth };
    return { draw: (planes, view) => drawBoard(planes, site, board, view) };
  });
  if (!far || !middle || !near) throw new Error('Land has three bands.');
  const elements = { back: [far, middle], front: [near] };
  const anchors = anchorsOn(site, land, bands);
  if (ground === 'dunes' || ground === 'snow' || isBarren) return { ...elements, growth: [], anchors };
  const grass: readonly [Rgb, ...Rgb[]] = features.has('autumn')
    ? [rgb('#b89a4a'), rgb('#94803a')]
    : [rgb('#6f9a3c'), rgb('#8fb04a'), rgb('#557f30')];
  return { ...elements, growth: [createFlora(site, flowers, grass)], anchors };
}

/** Where a road runs, and half its width; distances from the camera. */
const ROAD = { at: 1.05, half: 0.1 };

/** A road or a line across, for what drives. */
function withRoad(site: Site, land: Land): Land {
  const { subjects, features } = site.brief;
  const isRail = subjects.includes('train');
  if (!isRail && !subjects.includes('car') && !features.has('road')) return land;
  const [bed, line] = isRail ? [rgb('#6e665e'), rgb('#9aa0a8')] : [rgb('#4a4a4e'), rgb('#d8d4c8')];
  return {
    ...land,
    colorAt(place) {
      const off = Math.abs(place.z - ROAD.at) / ROAD.half;
      const side = smoothstep(1.06, 0.94, off);
      if (side === 0) return land.colorAt(place);
      const isLine = isRail ? Math.abs(off - 0.5) < 0.09 : Math.abs(off - 0.86) < 0.035;
      return mix(land.colorAt(place), isLine ? line : bed, side * 0.94);
    },
  };
}

function landOf(site: Site): Land {
  const { ground, features } = site.brief;
  if (ground === 'dunes') return dunes(site);
  if (features.has('canyon')) return hills(site, ROCK);
  if (features.has('volcano')) return hills(site, ASH);
  if (ground === 'snow') return hills(site, SNOW, { rough: 0.55, grainy: 0.22 });
  return hills(site, features.has('autumn') ? AUTUMN : MEADOW, { rough: features.has('forest') ? 0.6 : 1 });
}

/** The steps of the whole land, as far as they are in a band. */
function paintBand(site: Site, land: Land, { from, to, depth, below }: Band): LandPicture {
  const share = Math.log(Math.min(to, land.to) / from) / Math.log(land.to / land.from);
  return paintLand(
    site,
    { ...land, from, to: Math.min(to, land.to), steps: Math.ceil(land.steps * share) },
    { below, depth },
  );
}

/** What lies beyond `FADES` of a band is seen of the next band as well. */
function soften(
  { size, density, horizon }: Site,
  { canvas, top }: LandPicture,
  land: Land,
  to: number,
): void {
  if (to >= land.to) return;
  const { width, height, data } = canvas;
  const rowAt = (x: number, z: number): number =>
    (horizon - top + ((land.eye - land.heightAt(x * z, z)) / z) * size.height) * density;
  for (let column = 0; column < width; column++) {
    const x = (column - width / 2) / (size.height * density);
    const [end, begin] = [rowAt(x, to), rowAt(x, to * FADES)];
    if (begin - end < 1) continue;
    for (let row = Math.max(0, Math.floor(end)); row < Math.min(height, begin); row++) {
      const part = clamp((row + 0.5 - end) / (begin - end));
      const first = (row * width + column) * 4;
      for (let at = first; at < first + 4; at++) data[at] = (data[at] as number) * part;
    }
  }
}

/** Places on the land for those who stand on it or go over it. */
function anchorsOn(site: Site, land: Land, bands: readonly Band[]): Anchors {
  const { size, horizon, random } = site;
  const side = random() < 0.5 ? -1 : 1;
  const at = (part: number, z: number): Anchor => {
    const footAt = (x: number): number => {
      const aside = ((x - size.width / 2) / size.height) * z;
      return horizon + ((land.eye - land.heightAt(aside, z)) / z) * size.height;
    };
    const x = size.width * (0.5 + side * part);
    const depth = bands.findLast(({ to }) => z < to * FADES)?.depth ?? 0.4;
    return { x, y: footAt(x), depth, scale: 1, footAt };
  };
  return { near: at(-0.12, 0.95), far: at(0.2, 2), water: at(0.15, 2), road: at(0, ROAD.at) };
}

/** Trees that stand about on the land, smaller with the distance. */
function plantTrees(site: Site, pictures: readonly LandPicture[], count: number): void {
  const random = seededRandom(site.seed, 'plant');
  const kind = treeKind(site);
  const sprites = count > 0 ? treesFor(site, kind, 0.45) : [];
  const colors = treeColors(site, kind);
  const unit = site.size.height * site.density;
  // Each on the nearest band that shows its foot; those who walk there keep the way free.
  const good = pictures.flatMap(({ canvas, spots }, band) => {
    const next = BANDS[band + 1]?.to ?? 0;
    return spots
      .filter(
        ({ z, x }) =>
          z > Math.max(1.12, next * 0.92) && z < 6 && Math.abs(x - canvas.width / 2) > (unit * 0.5) / z,
      )
      .map((spot) => ({ ...spot, canvas }));
  });
  const chosen = Array.from({ length: count }, () => good[Math.floor(random() * good.length)])
    .flatMap((spot) => (spot ? [spot] : []))
    .toSorted((a, b) => b.z - a.z);
  for (const { x, y, z, lit, canvas } of chosen) {
    const sprite = sprites[Math.floor(random() * sprites.length)];
    if (!sprite) continue;
    const far = clamp(1 - Math.exp(-z * 0.13));
    const color = colors.lit[Math.floor(random() * colors.lit.length)] ?? colors.lit[0];
    const fade = (base: Rgb, share: number): Rgb => mix(shadeOf(site, base, share), site.light.haze, far);
    stamp(canvas, sprite, {
      x,
      y: y + 1,
      height: (unit * between(random, 0.3, 0.46)) / z,
      flipped: site.light.sun.x < 0.5,
      dark: fade(colors.dark, 0.2),
      lit: fade(color, 0.55 + 0.4 * lit),
    });
  }
}

/** Rows run through all of the land, which then moves as one. */
function areInRows({ kind }: Pick<Flowers, 'kind'>): boolean {
  return kind === 'lavender' || kind === 'tulip';
}

/** Flowers that are too far to be seen one by one. */
function sowFlowers(site: Site, { canvas, spots }: LandPicture, { colors, kind }: Flowers): void {
  const random = seededRandom(site.seed, 'sow');
  const unit = site.size.height * site.density;
  const inRows = areInRows({ kind });
  const isSown = (world: number, z: number): boolean =>
    inRows
      ? Math.abs((world * 5) % 1) < 0.62
      : fractalAlong(world * 3 + z, site.seed, 3) + fractalAlong(z * 4 - world, site.seed + 9, 3) > -0.05;
  for (const { x, y, z, lit } of spots) {
    for (let flower = 0; flower < 3; flower++) {
      const aside = between(random, -2, 2);
      const world = ((x + aside - canvas.width / 2) / unit) * z;
      if (!isSown(world, z) || random() < (inRows ? 0.35 : 0.8)) continue;
      const pickAt = inRows
        ? Math.floor(Math.abs(world * 5)) % colors.length
        : Math.floor(random() * colors.length);
      const shown = mix(
        shadeOf(site, colors[pickAt] ?? colors[0], 0.4 + 0.6 * lit),
        site.light.haze,
        1 - Math.exp(-z * 0.13),
      );
      dot(
        canvas,
        x + aside,
        y + between(random, -0.004, 0.012) * (unit / z),
        Math.max(0.6, (unit * 0.0062) / z),
        shown,
      );
    }
  }
}

function dot(canvas: Canvas, x: number, y: number, radius: number, color: Rgb): void {
  for (let row = Math.floor(y - radius); row <= y + radius; row++) {
    for (let column = Math.floor(x - radius); column <= x + radius; column++) {
      const cover = clamp(radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y));
      const at = (row * canvas.width + column) * 4 + 3;
      if ((canvas.data[at] ?? 0) > 0.5) dab(canvas, column, row, color, cover * 0.9);
    }
  }
}
