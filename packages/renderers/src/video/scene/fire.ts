import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, noiseAlong, readTile, type Tile } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { along, mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawLine, newCanvas, toTexture } from './canvas.ts';
import type { Figure } from './figures/figure.ts';
import { paintTreeLine, treeColors, treesFor } from './forest.ts';
import { type Board, behind, drawBoard, type Element, type Scene, type Site, textureSize } from './site.ts';
import { createSky } from './sky.ts';
import { type Anchors, createSubjects } from './subjects.ts';

const FLAME: readonly Rgb[] = [
  '#000000',
  '#3a0602',
  '#a8230a',
  '#f0641a',
  '#ffb03a',
  '#ffe690',
  '#fffbe6',
].map(rgb);

interface Blaze {
  /** In heights of the frame. */
  readonly wide: number;
  readonly tall: number;
  /** The row of its foot. */
  readonly foot: number;
  /** 1 runs to a point, 0 is a wall of fire. */
  readonly pointed: number;
}

/** A camp fire in the woods at night, or fire from edge to edge where that is asked for. */
export function composeFire(site: Site, prompt: string, figures: readonly Figure[]): Scene {
  const { size } = site;
  const isWall =
    /\b(inferno|wall of|blaze|burning (city|building|forest)|wild ?fire|hell|abstract|lava)\b/i.test(prompt);
  const blaze: Blaze = isWall
    ? {
        wide: (size.width * 1.12 + 2 * site.room(0.5).x) / size.height,
        tall: 0.95,
        foot: size.height * 1.04 + site.room(0.5).y,
        pointed: 0,
      }
    : { wide: 0.5, tall: 0.62, foot: size.height * 0.84, pointed: 1 };
  const elements: Element[] = isWall
    ? [createBackdrop(site)]
    : [
        behind(site, { row: site.horizon + 0.05 * size.height, depth: 0.1 }, [createSky(site)]),
        ...campsite(site),
      ];
  const glow = createGlow(site, blaze);
  const flames = createFlames(site, blaze);
  if (isWall) return { elements: [...elements, glow, flames] };
  const { near } = createSubjects(site, figures, besides(site, blaze, figures[0]?.way ?? 1));
  const focus = { x: size.width / 2, y: blaze.foot - 0.06 * size.height };
  return { elements: [...elements, glow, flames, createLogs(site, blaze), ...near], focus };
}

/** Those who are there stand beside the fire and look at it. */
function besides({ size }: Site, { foot }: Blaze, way: -1 | 1): Anchors {
  const x = size.width / 2 - way * Math.min(0.48 * size.height, 0.3 * size.width);
  const place = { x, y: foot + 0.05 * size.height, depth: 0.5, scale: 1.35 };
  return { near: place, far: place, water: place, road: place };
}

function createBackdrop(site: Site): Element {
  const { size } = site;
  const texture = paintTexture(
    { width: 32, height: 32 },
    (row, y) => {
      const color = mix(rgb('#0c0404'), rgb('#4a1206'), (y / 32) ** 1.5);
      for (let at = 0; at < row.length; at += 4) row.set(color, at);
    },
    { opaque: true },
  );
  const detail = 32 / (size.width * site.density);
  return {
    draw: (planes, view) => drawBoard(planes, site, { texture, left: 0, top: 0, depth: 0, detail }, view),
  };
}

function campsite(site: Site): readonly Element[] {
  const { size, horizon } = site;
  const colors = treeColors(site, 'conifer');
  const sprites = treesFor(site, 'conifer', 0.45);
  const lines = [
    {
      base: horizon + 0.03 * size.height,
      tall: [0.16, 0.32] as const,
      haze: 0.5,
      depth: 0.1,
      dense: 2.6,
      bottom: horizon + 0.2 * size.height,
    },
    {
      base: horizon + 0.1 * size.height,
      tall: [0.3, 0.52] as const,
      haze: 0.14,
      depth: 0.22,
      dense: 1.6,
      clearing: 0.3,
    },
  ];
  return lines.map((line, index) => {
    const board = paintTreeLine(site, sprites, colors, { ...line, roll: 0.01, seed: index + 1 });
    return { draw: (planes, view) => drawBoard(planes, site, board, view) };
  });
}

/** The light of the fire on all around it. */
function createGlow(site: Site, { foot, tall }: Blaze): Element {
  const { size, seed } = site;
  const edge = size.height * 2.4;
  const detail = Math.min(1, 160 / (edge * site.density));
  const pixels = textureSize({ density: site.density * detail }, { width: edge, height: edge });
  const color = rgb('#ff8a34');
  const texture = paintTexture(
    pixels,
    (row, y) => {
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const away = Math.hypot(x / pixels.width - 0.5, (y / pixels.height - 0.5) * 1.25) * 2;
        const below = smoothstep(0.49, 0.56, y / pixels.height);
        const level = Math.exp(-away * 3.4) * (0.34 + 0.75 * below) * clamp((1 - away) * 3);
        row[at] = color[0] * level;
        row[at + 1] = color[1] * level;
        row[at + 2] = color[2] * level;
      }
    },
    { premultiplied: true },
  );
  const board: Board = {
    texture,
    left: size.width / 2 - edge / 2,
    top: foot - edge / 2 - tall * size.height * 0.04,
    depth: 0.5,
    detail,
  };
  return {
    draw(planes, view) {
      const flicker =
        0.8 + 0.14 * noiseAlong(view.seconds * 6, seed) + 0.08 * noiseAlong(view.seconds * 15, seed + 1);
      drawBoard(planes, site, board, view, { opacity: clamp(flicker) });
    },
  };
}

/** Flames, computed for every frame: noise that rises, cut into shape. */
function createFlames(site: Site, blaze: Blaze): Element {
  const { size, seed, brief } = site;
  const wide = blaze.wide * size.height;
  const tall = blaze.tall * size.height;
  const detail = Math.min(1, 330 / (Math.max(wide, tall) * site.density));
  const density = site.density * detail;
  const pixels = textureSize({ density }, { width: wide, height: tall });
  const broad = fractalTile(256, { seed: seed + 61, cells: 6, octaves: 3, gain: 0.5 });
  const fine = fractalTile(256, { seed: seed + 62, cells: 12, octaves: 3, gain: 0.55 });
  const named = brief.colors.find((color) => color[2] > color[0]);
  const ramp = named
    ? [
        rgb('#000000'),
        scaled(named, 0.2),
        scaled(named, 0.6),
        named,
        mix(named, [255, 255, 255], 0.5),
        [255, 255, 255] as const,
      ]
    : FLAME;
  const colors = Array.from({ length: 256 }, (_, at) => along(ramp, at / 255));
  return {
    draw(planes, view) {
      const texture = paintTexture(
        pixels,
        (row, y) =>
          flameRow(row, {
            up: 1 - y / pixels.height,
            width: pixels.width,
            broad,
            fine,
            colors,
            seconds: view.seconds,
            blaze,
          }),
        { premultiplied: true },
      );
      drawBoard(
        planes,
        site,
        { texture, left: size.width / 2 - wide / 2, top: blaze.foot - tall, depth: 0.5, detail },
        view,
      );
    },
  };
}

interface FlameRow {
  /** 0 at the foot, 1 at the tip. */
  readonly up: number;
  readonly width: number;
  readonly broad: Tile;
  readonly fine: Tile;
  readonly colors: readonly Rgb[];
  readonly seconds: number;
  readonly blaze: Blaze;
}

function flameRow(row: Float32Array, { up, width, broad, fine, colors, seconds, blaze }: FlameRow): void {
  const high = up * blaze.tall * 130;
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const across = (x / width - 0.5) * 2;
    const place = across * blaze.wide * 75;
    const bend = readTile(broad, place * 0.55 + 40, high * 0.5 - seconds * 46) * (0.1 + 0.55 * up);
    const moved = across + bend * lerp(0.12, 0.34, blaze.pointed);
    const licks =
      readTile(broad, place * 0.9 + bend * 26, high * 0.62 - seconds * 72) * 0.62 +
      readTile(fine, place * 1.2 - bend * 22, high * 0.85 - seconds * 118) * 0.4;
    // A broad foot that narrows, or a level sea of flames.
    const body =
      blaze.pointed > 0
        ? 1.08 - (Math.abs(moved) / (0.62 * (1 - up * 0.72) * smoothstep(-0.14, 0.12, up))) ** 1.6 - up * 0.75
        : 1.05 - up * 1.5;
    const heat = clamp((body + licks * (0.32 + 0.85 * up)) * 1.05);
    const fade =
      smoothstep(0, 0.05, 1 - Math.abs(across)) *
      smoothstep(0, 0.1, 1 - up) *
      smoothstep(0, 0.07, up + 0.015 * licks);
    const level = heat * fade;
    if (level <= 0.004) continue;
    const color = colors[Math.min(255, Math.floor(level * 255))] ?? [0, 0, 0];
    row[at] = color[0] * 1.15;
    row[at + 1] = color[1] * 1.15;
    row[at + 2] = color[2] * 1.15;
    row[at + 3] = smoothstep(0.25, 0.8, level) * 0.9;
  }
}

function createLogs(site: Site, { foot, wide }: Blaze): Element {
  const { size, seed } = site;
  const random = seededRandom(seed, 'logs');
  const width = wide * size.height * 1.1;
  const height = size.height * 0.16;
  const canvas = newCanvas(textureSize(site, { width, height }));
  const unit = size.height * site.density;
  for (let log = 0; log < 7; log++) {
    const side = log % 2 === 0 ? -1 : 1;
    const x = canvas.width / 2 + side * between(random, 0.05, 0.17) * unit;
    const end = canvas.width / 2 - side * between(random, 0.02, 0.1) * unit;
    const y = canvas.height * between(random, 0.66, 0.8);
    const thickness = unit * between(random, 0.026, 0.038);
    const color = mix(rgb('#1c0f0a'), rgb('#4a2412'), random());
    drawLine(canvas, [x, y], [end, canvas.height * between(random, 0.3, 0.5)], {
      color,
      thickness,
      end: thickness * 0.85,
    });
    drawLine(canvas, [x, y - thickness * 0.28], [end, canvas.height * 0.4 - thickness * 0.28], {
      color: mix(color, rgb('#ff7a2a'), 0.5),
      thickness: thickness * 0.18,
      alpha: 0.7,
    });
  }
  const board: Board = {
    texture: toTexture(canvas),
    left: size.width / 2 - width / 2,
    top: foot - height * 0.7,
    depth: 0.5,
  };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}
