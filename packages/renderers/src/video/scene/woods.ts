import { clamp, lerp, smoothstep } from '../curves.ts';
import { noiseAlong } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { paintTreeLine, treeColors, treeKind, treesFor } from './forest.ts';
import { createMist } from './mist.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';
import type { Anchor, Anchors } from './subjects.ts';

/** Inside a forest: row upon row of trees with mist and shafts of light between them, trunks at the sides. */
export function composeWoods(site: Site, subjects: readonly Element[]): readonly Element[] {
  const { size, horizon, light, brief } = site;
  const kind = treeKind(site);
  const colors = treeColors(site, kind);
  const row = (at: number): number => horizon + at * size.height;
  const lines = [
    { base: row(0.04), tall: [0.18, 0.34] as const, haze: 0.72, depth: 0.1, dense: 3, clearing: 0.06 },
    { base: row(0.11), tall: [0.36, 0.58] as const, haze: 0.42, depth: 0.24, dense: 1.9, clearing: 0.22 },
    { base: row(0.26), tall: [0.62, 0.92] as const, haze: 0.13, depth: 0.52, dense: 1.2, clearing: 0.5 },
  ];
  const strength = lerp(0.5, 0.95, brief.fog);
  const elements = lines.flatMap((line, index): Element[] => {
    const sprites = treesFor(site, kind, line.tall[1]);
    const board = paintTreeLine(site, sprites, colors, {
      ...line,
      roll: 0.012,
      seed: index + 1,
      bottom: (lines[index + 1]?.base ?? Number.POSITIVE_INFINITY) + 0.12 * size.height,
    });
    const mist = createMist(site, {
      middle: line.base - 0.01 * size.height,
      reach: 0.09 + 0.04 * index,
      strength: strength * (0.8 - index * 0.2),
      depth: line.depth + 0.03,
      color: mix(light.haze, light.horizon, 0.45),
      seed: index + 1,
    });
    return [{ draw: (planes, view) => drawBoard(planes, site, board, view) }, mist];
  });
  const shafts = light.dark < 0.5 && brief.storm === 0 ? [createShafts(site)] : [];
  return [...elements, ...subjects, ...shafts, createTrunks(site)];
}

export function woodAnchors({ size, horizon }: Site): Anchors {
  const at = (down: number, depth: number, scale: number): Anchor => ({
    x: size.width * 0.5,
    y: horizon + down * size.height,
    depth,
    scale,
  });
  return {
    near: at(0.3, 0.52, 1.1),
    far: at(0.12, 0.3, 0.9),
    water: at(0.12, 0.3, 0.9),
    road: at(0.3, 0.52, 1),
  };
}

/** Sunlight that falls through the crowns, slowly wandering. */
function createShafts(site: Site): Element {
  const { size, light } = site;
  const detail = 0.2;
  const density = site.density * detail;
  const room = site.room(0.25);
  const left = -room.x;
  const top = -room.y;
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + 2 * room.y },
  );
  const sun = { x: light.sun.x * size.width, y: -0.35 * size.height };
  const boards = [0].map((index): Board => {
    const texture = paintTexture(
      pixels,
      (row, y) => {
        for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
          const dx = x / density + left - sun.x;
          const dy = y / density + top - sun.y;
          const angle = Math.atan2(dx, dy);
          const beam = smoothstep(
            0.1,
            0.75,
            noiseAlong(angle * 6 + 50, site.seed + index) * 0.85 +
              noiseAlong(angle * 17, site.seed + 7 + index) * 0.25,
          );
          const reach = smoothstep(1.5, 0.35, dy / size.height) * smoothstep(0.9, 0, Math.abs(angle));
          const level = beam * reach * 0.2;
          row[at] = light.glow[0] * level;
          row[at + 1] = light.glow[1] * level;
          row[at + 2] = light.glow[2] * level;
        }
      },
      { premultiplied: true },
    );
    return { texture, left, top, depth: 0.25, detail };
  });
  return {
    draw(planes, view) {
      for (const [index, board] of boards.entries()) {
        const level = 0.55 + 0.45 * Math.sin(view.seconds * 0.8 + index * Math.PI);
        drawBoard(planes, site, board, view, { opacity: clamp(level) });
      }
    },
  };
}

/** Dark trunks left and right, close to the camera. */
function createTrunks(site: Site): Element {
  const random = seededRandom(site.seed, 'trunks');
  const third = random() < 0.5 ? between(random, 0.14, 0.2) : between(random, 0.8, 0.86);
  const places = [between(random, 0, 0.09), between(random, 0.91, 1), third];
  // More of them where only a camera that moves will look.
  const beyond = site.room(0.95).x / site.size.width;
  for (let place = 0.35; place < beyond; place += 0.38)
    places.push(-place + between(random, -0.06, 0.06), 1 + place + between(random, -0.06, 0.06));
  const boards = places.map((place, index) =>
    paintTrunk(site, {
      place,
      half: between(random, 0.035, 0.06) * (index === 2 ? 0.55 : 1),
      seed: site.seed + index,
    }),
  );
  return {
    draw(planes, view) {
      for (const board of boards) drawBoard(planes, site, board, view);
    },
  };
}

interface Trunk {
  /** Its middle, from 0 at the left edge to 1 at the right one. */
  readonly place: number;
  /** In heights of the frame. */
  readonly half: number;
  readonly seed: number;
}

function paintTrunk(site: Site, { place, half, seed }: Trunk): Board {
  const { size, light } = site;
  const room = site.room(0.95);
  const top = -room.y;
  const reach = (half * 2 + 0.03) * size.height;
  const pixels = textureSize(site, { width: reach * 2, height: size.height + 2 * room.y });
  const unit = size.height * site.density;
  const bark: Rgb = mix(scaled(rgb('#2a221c'), lerp(1, 0.35, light.dark)), light.haze, 0.06);
  const lit = light.sun.x < 0.5 ? -1 : 1;
  const texture = paintTexture(pixels, (row, y) => {
    const down = y / pixels.height;
    const middle = pixels.width / 2 + noiseAlong(down * 3, seed) * unit * 0.02;
    const wide = half * unit * (0.8 + 0.35 * down + 0.5 * smoothstep(0.8, 1.05, down));
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const across = (x + 0.5 - middle) / wide;
      const cover = clamp((1 - Math.abs(across)) * wide + 0.5);
      if (cover <= 0) continue;
      const groove = noiseAlong(across * 9 + noiseAlong((y / unit) * 14, seed) * 2, seed + 3);
      const rim = smoothstep(0.45, 1, across * lit) * 0.9;
      row.set(
        mix(
          scaled(bark, 0.75 + groove * 0.3),
          scaled(light.sunlight, 0.55),
          rim * 0.35 * (0.7 + groove * 0.3),
        ),
        at,
      );
      row[at + 3] = cover;
    }
  });
  return { texture, left: place * size.width - reach, top, depth: 0.95 };
}
