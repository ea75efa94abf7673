import { clamp } from '../curves.ts';
import { fractalAlong } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { type Canvas, dab, stamp, toTexture } from './canvas.ts';
import { createFlora, type Flowers, flowersOf } from './flora.ts';
import { treeColors, treeKind, treesFor } from './forest.ts';
import { dunes, type HillColors, hills } from './lands.ts';
import { drawBoard, type Element, type Site } from './site.ts';
import type { Anchor, Anchors } from './subjects.ts';
import { type LandPicture, paintLand, type Spot, shadeOf } from './terrain.ts';

/** Land up to the camera, places to stand on it, and what grows right before the camera. */
export interface Ground {
  readonly elements: readonly Element[];
  readonly growth: readonly Element[];
  readonly anchors: Anchors;
}

const DEPTH = 0.4;

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
  const picture = paintLand(site, landOf(site), { below: 0.5 });
  if (flowers) sowFlowers(site, picture, flowers);
  if (ground !== 'dunes' && !isBarren)
    plantTrees(site, picture, ground === 'snow' ? (isForest ? 26 : 9) : isForest ? 60 : 14);
  const board = { texture: toTexture(picture.canvas), left: picture.left, top: picture.top, depth: DEPTH };
  const elements: readonly Element[] = [{ draw: (planes, view) => drawBoard(planes, site, board, view) }];
  const anchors = anchorsOn(site, picture);
  if (ground === 'dunes' || ground === 'snow' || isBarren) return { elements, growth: [], anchors };
  const grass: readonly [Rgb, ...Rgb[]] = features.has('autumn')
    ? [rgb('#b89a4a'), rgb('#94803a')]
    : [rgb('#6f9a3c'), rgb('#8fb04a'), rgb('#557f30')];
  return { elements, growth: [createFlora(site, flowers, grass)], anchors };
}

function landOf(site: Site): ReturnType<typeof hills> {
  const { ground, features } = site.brief;
  if (ground === 'dunes') return dunes(site);
  if (features.has('canyon')) return hills(site, ROCK);
  if (features.has('volcano')) return hills(site, ASH);
  if (ground === 'snow') return hills(site, SNOW, { rough: 0.55, grainy: 0.22 });
  return hills(site, features.has('autumn') ? AUTUMN : MEADOW, { rough: features.has('forest') ? 0.6 : 1 });
}

/** Places on the land that can be seen, for those who stand on it. */
function anchorsOn(site: Site, { spots, left, top }: LandPicture): Anchors {
  const { size, density, random } = site;
  const side = random() < 0.5 ? -1 : 1;
  const find = (part: number, distance: number): Anchor => {
    const x = (size.width * (0.5 + side * part) - left) * density;
    const off = (spot: Spot): number =>
      Math.abs(spot.z - distance) * 3 + Math.abs(spot.x - x) / (size.height * density);
    const best = spots.reduce<Spot | undefined>(
      (found, spot) => (found && off(found) <= off(spot) ? found : spot),
      undefined,
    );
    if (!best) return { x: size.width / 2, y: size.height * 0.8, depth: DEPTH, scale: 1 };
    return { x: best.x / density + left, y: best.y / density + top, depth: DEPTH, scale: distance / best.z };
  };
  return { near: find(-0.12, 0.95), far: find(0.2, 2), water: find(0.15, 2), road: find(0, 1.2) };
}

/** Trees that stand about on the land, smaller with the distance. */
function plantTrees(site: Site, { canvas, spots }: LandPicture, count: number): void {
  const random = seededRandom(site.seed, 'plant');
  const kind = treeKind(site);
  const sprites = treesFor(site, kind, 0.45);
  const colors = treeColors(site, kind);
  const unit = site.size.height * site.density;
  const middle = canvas.width / 2;
  const good = spots.filter(({ z, x }) => z > 0.9 && z < 6 && Math.abs(x - middle) > (unit * 0.5) / z);
  const chosen = Array.from({ length: count }, () => good[Math.floor(random() * good.length)])
    .flatMap((spot) => (spot ? [spot] : []))
    .toSorted((a, b) => b.z - a.z);
  for (const { x, y, z, lit } of chosen) {
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

/** Flowers that are too far to be seen one by one. */
function sowFlowers(site: Site, { canvas, spots }: LandPicture, { colors, kind }: Flowers): void {
  const random = seededRandom(site.seed, 'sow');
  const unit = site.size.height * site.density;
  const inRows = kind === 'lavender' || kind === 'tulip';
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
