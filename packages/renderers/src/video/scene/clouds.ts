import { clamp, lerp, smoothstep } from '../curves.ts';
import { fractalTile, readTile } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { dab, newCanvas, toTexture } from './canvas.ts';
import { type Board, drawBoard, type Element, type Site, textureSize } from './site.ts';

/** How far clouds may drift, in widths of the frame. */
const DRIFT = 0.2;

/** Clouds that drift over the sky, seen from below, smaller towards the horizon. */
export function createClouds(site: Site, cover: number): Element {
  const { brief } = site;
  const direction = seededRandom(site.seed, 'wind')() < 0.5 ? -1 : 1;
  const high = paintClouds(site, {
    cover: cover * 0.55,
    seed: site.seed + 11,
    stretch: 2.6,
    strength: 0.45,
    height: 0.7,
  });
  const low = paintClouds(site, { cover, seed: site.seed + 23, stretch: 1.25, strength: 0.97, height: 1 });
  const heaps = site.isCel && cover > 0.15 && cover < 0.85 ? paintHeaps(site) : undefined;
  const pace = (0.006 + 0.016 * brief.wind) * site.size.width;
  return {
    draw(planes, view) {
      const { seconds } = view;
      // Slows down rather than running out of clouds.
      const gone = DRIFT * site.size.width * (1 - Math.exp((-pace * seconds) / (DRIFT * site.size.width)));
      drawBoard(planes, site, high, view, { dx: direction * gone * 0.45 });
      drawBoard(planes, site, low, view, { dx: direction * gone });
      if (heaps) drawBoard(planes, site, heaps, view, { dx: direction * gone * 0.5 });
    },
  };
}

interface CloudSettings {
  readonly cover: number;
  readonly seed: number;
  /** How much wider than deep they are. */
  readonly stretch: number;
  readonly strength: number;
  readonly height: number;
}

function paintClouds(site: Site, { cover, seed, stretch, strength, height }: CloudSettings): Board {
  const { size, horizon, light, isCel } = site;
  // Soft as they are, clouds need few pixels.
  const detail = isCel ? 0.8 : 0.55;
  const density = site.density * detail;
  const room = site.room(0.02);
  const left = -room.x - DRIFT * size.width;
  const top = -room.y;
  const pixels = textureSize(
    { density },
    {
      width: size.width * (1 + 2 * DRIFT) + 2 * room.x,
      height: horizon - top,
    },
  );
  const tile = fractalTile(512, { seed, cells: 7, octaves: 7, gain: 0.52 });
  const low = 0.52 - cover;
  const soft = isCel ? 0.07 : 0.34;
  const sunX = light.sun.x * size.width;
  const sunY = horizon - light.sun.height * size.height;
  const texture = paintTexture(pixels, (row, y) => {
    const worldY = y / density + top;
    const up = (horizon - worldY) / size.height;
    const far = (0.42 * height) / (up + 0.11);
    const v = far * 150;
    // Thin out where a pixel would hold many clouds.
    const fade = smoothstep(0.005, 0.1, up) * strength;
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const worldX = x / density + left;
      const u = ((worldX - size.width / 2) / size.height) * far * (115 / stretch);
      const thick = readTile(tile, u, v);
      const alpha = smoothstep(low, low + soft, thick) * fade;
      if (alpha < 0.004) continue;
      const dx = (sunX - worldX) / size.height;
      const dy = (sunY - worldY) / size.height;
      const away = Math.hypot(dx, dy) + 0.05;
      const toward = readTile(tile, u + (dx / away) * 7, v - (dy / away) * 5);
      const lit = clamp(0.55 + (thick - toward) * 2.1 - (thick - low) * 0.42);
      const shown = isCel ? Math.round(lit * 3) / 3 : lit;
      const lining = Math.exp(-away * 3.4) * (1 - clamp((thick - low) * 1.3)) * light.sun.strength;
      const color = mix(mix(light.cloudShade, light.cloudLit, shown), light.glow, clamp(lining * 0.85));
      const hazed = mix(color, light.horizon, smoothstep(0.2, 0, up) * 0.55);
      row[at] = hazed[0] + light.glow[0] * lining * 0.35;
      row[at + 1] = hazed[1] + light.glow[1] * lining * 0.35;
      row[at + 2] = hazed[2] + light.glow[2] * lining * 0.35;
      row[at + 3] = alpha;
    }
  });
  return { texture, left, top, depth: 0.02, detail };
}

/** Heaps of cloud that tower over the horizon, in few tones. */
function paintHeaps(site: Site): Board {
  const { size, density, horizon, light } = site;
  const room = site.room(0.03);
  const left = -room.x - DRIFT * size.width;
  const top = -room.y;
  const canvas = newCanvas(
    textureSize(site, { width: size.width * (1 + 2 * DRIFT) + 2 * room.x, height: horizon - top }),
  );
  const random = seededRandom(site.seed, 'heaps');
  const side = light.sun.x < 0.5 ? -1 : 1;
  for (let heap = 0; heap < 5; heap++) {
    const middle = canvas.width * ((heap + between(random, 0.15, 0.85)) / 5);
    const base = (horizon - top - between(random, 0.01, 0.07) * size.height) * density;
    const wide = between(random, 0.16, 0.34) * size.height * density;
    const tall = between(random, 0.16, 0.42) * size.height * density;
    const puffs = Array.from({ length: 70 }, () => {
      const up = random() ** 1.25;
      const spread = (1 - up ** 1.6 * 0.85) * wide;
      return {
        x: middle + between(random, -1, 1) * spread,
        y: base - up * tall,
        radius: lerp(0.32, 0.15, up) * wide * between(random, 0.55, 1.05),
        up,
      };
    }).toSorted((a, b) => b.up - a.up);
    for (const puff of puffs) drawPuff(puff);
  }

  function drawPuff({ x, y, radius, up }: { x: number; y: number; radius: number; up: number }): void {
    for (let row = Math.floor(y - radius); row <= y + radius; row++) {
      for (let column = Math.floor(x - radius); column <= x + radius; column++) {
        const nx = (column + 0.5 - x) / radius;
        const ny = (row + 0.5 - y) / radius;
        const away = Math.hypot(nx, ny);
        if (away > 1) continue;
        const lit = clamp(0.5 + 0.36 * nx * side - 0.5 * ny + 0.3 * (up - 0.35));
        const tone = lit > 0.72 ? 1 : lit > 0.46 ? 0.72 : lit > 0.26 ? 0.42 : 0.2;
        const color: Rgb = mix(
          mix(light.cloudShade, light.cloudLit, tone),
          light.horizon,
          smoothstep(0.42, 0, up) * 0.85,
        );
        dab(canvas, column, row, color, Math.min(1, (1 - away) * radius) * 0.98);
      }
    }
  }

  return { texture: toTexture(canvas), left, top, depth: 0.03 };
}

/** A sea of clouds below the camera, up to the lower edge. */
export function createCloudSea(site: Site): Element {
  const { size, horizon, light, isCel, brief } = site;
  const detail = 0.6;
  const density = site.density * detail;
  const room = site.room(0.3);
  const left = -room.x - DRIFT * size.width;
  const top = horizon - 0.012 * size.height;
  const pixels = textureSize(
    { density },
    { width: size.width * (1 + 2 * DRIFT) + 2 * room.x, height: size.height + room.y - top },
  );
  const tile = fractalTile(512, { seed: site.seed + 31, cells: 8, octaves: 6, gain: 0.5, shape: 'billowy' });
  const side = light.sun.x < 0.5 ? -1 : 1;
  const texture = paintTexture(pixels, (row, y) => {
    const down = y / density / size.height;
    const far = 0.2 / (down + 0.03);
    for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
      const u = ((x / density + left) / size.height - 0.9) * far * 130;
      const v = far * 190;
      const thick = readTile(tile, u, v);
      const toward = readTile(tile, u + side * 5, v + 4);
      const lit = clamp(0.6 + (toward - thick) * 2.2 + thick * 0.5);
      const shown = isCel ? Math.round(lit * 4) / 4 : lit;
      const color = mix(
        mix(light.cloudShade, light.cloudLit, shown),
        light.horizon,
        smoothstep(0.2, 0, down) * 0.8,
      );
      row.set(color, at);
      row[at + 3] = smoothstep(0, 0.018, down + thick * 0.008);
    }
  });
  const pace = (0.004 + 0.008 * brief.wind) * size.width;
  const board: Board = { texture, left, top, depth: 0.3, detail };
  return {
    draw(planes, view) {
      const most = DRIFT * size.width;
      drawBoard(planes, site, board, view, { dx: most * (1 - Math.exp((-pace * view.seconds) / most)) });
    },
  };
}
