import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, readTile } from '../noise.ts';
import { between, pick, seededRandom } from '../random.ts';
import { along, mix, type Rgb, rgb, scaled } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { newCanvas, toTexture } from './canvas.ts';
import { createGalaxy } from './galaxy.ts';
import { createPlanet } from './planet.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';

const NEBULAE: readonly (readonly string[])[] = [
  ['#03040c', '#12123a', '#4a2a8a', '#d04a9a', '#ffc8a0'],
  ['#020610', '#08264a', '#0f6a8a', '#4ad0c0', '#f0ffe0'],
  ['#060308', '#2a0f2a', '#8a2a3a', '#f08a3a', '#fff0c0'],
  ['#03050e', '#1a1a4e', '#3a4ac0', '#a08af0', '#ffe8ff'],
];

/** Stars, clouds of gas, and what drifts among them. */
export function composeSpace(site: Site, prompt: string): readonly Element[] {
  const { brief, seed } = site;
  const random = seededRandom(seed, 'space');
  const colors =
    brief.colors.length > 0
      ? ownColors(brief.colors)
      : pick(random, [NEBULAE[0] ?? [], ...NEBULAE.slice(1)]).map(rgb);
  const isGalaxy = brief.features.has('galaxy');
  const strength = brief.features.has('nebula') ? 1 : isGalaxy ? 0.35 : 0.6;
  const elements: Element[] = [
    createNebula(site, colors, strength),
    createStars(site, { count: 900, depth: 0.05, size: 1, seed: 1 }),
  ];
  if (isGalaxy) elements.push(createGalaxy(site, colors));
  elements.push(createStars(site, { count: 130, depth: 0.35, size: 1.7, seed: 2 }));
  const hasPlanet = brief.features.has('planet') || (!isGalaxy && !brief.features.has('nebula'));
  if (hasPlanet) elements.push(createPlanet(site, colors, prompt));
  elements.push(createStars(site, { count: 26, depth: 0.9, size: 2.4, seed: 3 }));
  return elements;
}

function ownColors(named: readonly Rgb[]): readonly Rgb[] {
  const [first = rgb('#3a4ac0')] = named;
  return [
    rgb('#03040c'),
    scaled(first, 0.22),
    scaled(first, 0.6),
    along([...named, first], 0.5),
    mix(named.at(-1) ?? first, [255, 255, 255], 0.6),
  ];
}

function createNebula(site: Site, colors: readonly Rgb[], strength: number): Element {
  const { size, seed } = site;
  const detail = 0.5;
  const density = site.density * detail;
  const room = site.room(0);
  const left = -room.x;
  const top = -room.y;
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + 2 * room.y },
  );
  const gas = fractalTile(512, { seed: seed + 901, cells: 5, octaves: 7, gain: 0.55 });
  const warp = fractalTile(256, { seed: seed + 902, cells: 4, octaves: 4 });
  const random = seededRandom(seed, 'nebula');
  const tilt = between(random, -0.7, 0.7);
  const texture = paintTexture(
    pixels,
    (row, y) => {
      for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
        const u = x / density / size.height;
        const v = y / density / size.height;
        const wx = readTile(warp, u * 60, v * 60) * 46;
        const wy = readTile(warp, u * 60 + 100, v * 60 + 70) * 46;
        const body = readTile(gas, u * 115 + wx, v * 115 + wy);
        const band = Math.exp(-(((v - 0.6 - (u - 1) * tilt) / 0.42) ** 2));
        const dust = smoothstep(-0.2, 0.7, readTile(gas, u * 170 - wy + 200, v * 170 + wx));
        const thick = clamp((body * 0.55 + 0.42) * (0.35 + 0.9 * band) * (1 - 0.55 * dust * band)) * strength;
        const color = along(colors, thick ** 1.15);
        row[at] = color[0];
        row[at + 1] = color[1];
        row[at + 2] = color[2];
      }
    },
    { opaque: true },
  );
  const board: Board = { texture, left, top, depth: 0, detail };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}

const TINTS: readonly [Rgb, ...Rgb[]] = [
  rgb('#ffffff'),
  rgb('#cfe0ff'),
  rgb('#ffe4c0'),
  rgb('#b8ccff'),
  rgb('#ffd0b0'),
];

function createStars(
  site: Site,
  {
    count,
    depth,
    size: large,
    seed,
  }: { readonly count: number; readonly depth: number; readonly size: number; readonly seed: number },
): Element {
  const { size } = site;
  const random = seededRandom(site.seed + seed, 'space stars');
  const room = site.room(depth);
  const left = -room.x;
  const top = -room.y;
  const canvas = newCanvas(
    textureSize(site, { width: size.width + 2 * room.x, height: size.height + 2 * room.y }),
  );
  const unit = Math.max(0.7, (size.height * site.density) / 720);
  for (let star = 0; star < count; star++) {
    const magnitude = random() ** 6;
    const radius = unit * large * lerp(0.9, 2.6, magnitude);
    glow({
      x: random() * canvas.width,
      y: random() * canvas.height,
      radius,
      level: lerp(0.25, 1.3, magnitude),
      color: pick(random, TINTS),
    });
  }

  function glow({
    x,
    y,
    radius,
    level,
    color,
  }: {
    x: number;
    y: number;
    radius: number;
    level: number;
    color: Rgb;
  }): void {
    const reach = radius * (level > 0.7 ? 5 : 1.6);
    for (let row = Math.max(0, Math.floor(y - reach)); row <= Math.min(canvas.height - 1, y + reach); row++) {
      for (
        let column = Math.max(0, Math.floor(x - reach));
        column <= Math.min(canvas.width - 1, x + reach);
        column++
      ) {
        const away = Math.hypot(column + 0.5 - x, row + 0.5 - y);
        const core = clamp(1.2 - away / radius) ** 2 * 1.4;
        const halo = level > 0.7 ? 0.16 * clamp(1 - away / reach) ** 3 : 0;
        const at = (row * canvas.width + column) * 4;
        for (let channel = 0; channel < 3; channel++) {
          canvas.data[at + channel] =
            (canvas.data[at + channel] as number) + (color[channel] as number) * level * (core + halo);
        }
      }
    }
  }

  const board: Board = { texture: toTexture(canvas), left, top, depth };
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}
