import { lerp } from '../curves.ts';
import { fractalAlong, fractalTile, readTile, type Tile } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { type Canvas, newCanvas, type Sprite, stamp, toTexture } from './canvas.ts';
import { type Board, type Site, textureSize } from './site.ts';
import { shadeOf } from './terrain.ts';
import { growTrees, type TreeKind } from './trees.ts';

export interface TreeColors {
  readonly dark: Rgb;
  readonly lit: readonly [Rgb, ...Rgb[]];
}

export function treeKind({ brief }: Site): TreeKind {
  if (brief.features.has('blossom') || brief.features.has('autumn')) return 'broadleaf';
  if (brief.ground === 'meadow' || brief.features.has('flowers')) return 'broadleaf';
  return 'conifer';
}

export function treeColors(site: Site, kind: TreeKind): TreeColors {
  const { brief } = site;
  if (brief.features.has('blossom'))
    return { dark: rgb('#7a4258'), lit: [rgb('#ffc9dc'), rgb('#ffdbe8'), rgb('#f7a8c4')] };
  if (brief.features.has('autumn'))
    return { dark: rgb('#4a2c18'), lit: [rgb('#d8842c'), rgb('#c2542a'), rgb('#e0b03a'), rgb('#a86a2a')] };
  if (brief.ground === 'snow') return { dark: rgb('#22343c'), lit: [rgb('#dfe9f4'), rgb('#b4c8d6')] };
  if (kind === 'conifer')
    return { dark: rgb('#16281c'), lit: [rgb('#54804a'), rgb('#456e44'), rgb('#668a50')] };
  return { dark: rgb('#1e3418'), lit: [rgb('#7aa244'), rgb('#648c3a'), rgb('#8fb04c')] };
}

export interface TreeLine {
  /** The row of their feet, and how far it goes up and down, in heights of the frame. */
  readonly base: number;
  readonly roll: number;
  /** In heights of the frame. */
  readonly tall: readonly [number, number];
  /** Trees for every one that would stand side by side. */
  readonly dense: number;
  readonly depth: number;
  /** How much of the color of the distance is in them, 0 to 1. */
  readonly haze: number;
  readonly seed: number;
  /** Keeps the middle open: 0 nowhere, 1 wholly. */
  readonly clearing?: number | undefined;
  /** The row from which on something nearer covers the ground; the lower edge when absent. */
  readonly bottom?: number | undefined;
}

/** A row of trees on rolling ground, the ground included. */
export function paintTreeLine(
  site: Site,
  sprites: readonly Sprite[],
  colors: TreeColors,
  line: TreeLine,
): Board {
  const { size, density, light } = site;
  const random = seededRandom(site.seed + line.seed, 'trees');
  const room = site.room(line.depth);
  const left = -room.x;
  const rise = line.tall[1] + line.roll + 0.02;
  const top = line.base - rise * size.height;
  const bottom = Math.min(size.height + room.y, line.bottom ?? Number.POSITIVE_INFINITY);
  const canvas = newCanvas(textureSize(site, { width: size.width + 2 * room.x, height: bottom - top }));
  const unit = size.height * density;
  const footAt = (x: number): number =>
    (rise + line.roll * fractalAlong((x / unit) * 2.2 + line.seed * 7, site.seed + line.seed, 3)) * unit;
  const ground = mix(shadeOf(site, floorColor(site), 0.42), light.haze, line.haze);
  fillGround(canvas, footAt, { near: ground, far: mix(ground, light.haze, 0.35), grain: floorGrain(site) });
  const mean = (line.tall[0] + line.tall[1]) / 2;
  const count = Math.round((canvas.width / (mean * unit * 0.34)) * line.dense);
  const places = Array.from({ length: count }, () => {
    const x = random() * canvas.width;
    return {
      x,
      y: footAt(x) + random() * 0.02 * unit,
      tall: between(random, line.tall[0], line.tall[1]),
      pick: random(),
      tint: random(),
      flip: random(),
    };
  }).toSorted((a, b) => a.y - b.y);
  for (const { x, y, tall, pick, tint, flip } of places) {
    const middle = Math.abs(x / canvas.width - 0.5) * 2;
    if (line.clearing !== undefined && middle < line.clearing * (0.6 + 0.4 * tint)) continue;
    const sprite = sprites[Math.floor(pick * sprites.length)];
    const lit = colors.lit[Math.floor(tint * colors.lit.length)] ?? colors.lit[0];
    if (!sprite) continue;
    const fade = (color: Rgb, share: number): Rgb => mix(shadeOf(site, color, share), light.haze, line.haze);
    stamp(canvas, sprite, {
      x,
      y,
      height: tall * unit,
      // Sprites are lit from the right.
      flipped: light.sun.x < 0.5 ? flip < 0.9 : flip < 0.1,
      dark: fade(colors.dark, 0.2),
      lit: fade(lit, lerp(0.55, 0.95, tint)),
    });
  }
  return { texture: toTexture(canvas), left, top, depth: line.depth };
}

function floorColor({ brief }: Site): Rgb {
  if (brief.ground === 'snow') return rgb('#e4ecf6');
  return brief.features.has('autumn') ? rgb('#8a5f34') : rgb('#4c5c34');
}

function floorGrain(site: Site): Tile {
  return fractalTile(256, { seed: site.seed + 55, cells: 26, octaves: 4, gain: 0.65 });
}

interface Floor {
  readonly near: Rgb;
  readonly far: Rgb;
  readonly grain: Tile;
}

function fillGround(
  { width, height, data }: Canvas,
  footAt: (x: number) => number,
  { near, far, grain }: Floor,
): void {
  for (let x = 0; x < width; x++) {
    const foot = footAt(x);
    for (let y = Math.max(0, Math.floor(foot)); y < height; y++) {
      const cover = Math.min(1, y + 1 - foot);
      const down = (y - foot) / height;
      const level = 1 + readTile(grain, x * 0.5, y * 1.9) * 0.2 * Math.min(1, down * 6);
      const color = mix(far, near, Math.min(1, down * 4));
      const at = (y * width + x) * 4;
      data[at] = color[0] * cover * level;
      data[at + 1] = color[1] * cover * level;
      data[at + 2] = color[2] * cover * level;
      data[at + 3] = cover;
    }
  }
}

export function treesFor(site: Site, kind: TreeKind, height: number): readonly Sprite[] {
  return growTrees(kind, seededRandom(site.seed, `grow ${kind}`), {
    count: 7,
    height: Math.round(Math.min(640, Math.max(60, height * site.size.height * site.density))),
  });
}
