import { clamp, lerp } from '../curves.ts';
import { fractalTile, readTile, type Tile } from '../noise.ts';
import { seededRandom } from '../random.ts';
import { along, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { paletteFor } from './palette.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

interface Flow {
  /** How large the folds are, how strongly they are pulled about, how many bands of color there are. */
  readonly size: number;
  readonly pull: number;
  readonly bands: number;
  /** How much like cloth it shines, 0 to 1. */
  readonly sheen: number;
}

const FLOWS: readonly Flow[] = [
  { size: 124, pull: 68, bands: 1.2, sheen: 1 },
  { size: 180, pull: 104, bands: 1.9, sheen: 0.55 },
  { size: 92, pull: 120, bands: 1.5, sheen: 0.85 },
];

/** Folds of color that flow into each other, for what cannot be pictured. */
export function composeAbstract(site: Site, prompt: string): readonly Element[] {
  const { size, seed, isCel } = site;
  const random = seededRandom(seed, 'abstract');
  const flow = FLOWS[Math.floor(random() * FLOWS.length)] ?? { size: 124, pull: 68, bands: 1.2, sheen: 1 };
  // Small enough to be computed anew for every frame; the folds are soft.
  const detail = Math.min(1, 480 / (size.width * site.density));
  const density = site.density * detail;
  const room = site.room(0.5);
  const pixels = textureSize(
    { density },
    { width: size.width + 2 * room.x, height: size.height + 2 * room.y },
  );
  const tiles = {
    large: fractalTile(512, { seed: seed + 801, cells: 4, octaves: 2, gain: 0.4 }),
    fine: fractalTile(512, { seed: seed + 802, cells: 5, octaves: 3, gain: 0.45 }),
  };
  const colors = Array.from({ length: 512 }, (_, at) =>
    along(paletteFor(prompt, site.brief, seed), at / 511),
  );
  const heights = new Float32Array(pixels.width * pixels.height);
  const turn = random() * 6.28;
  const origin = { left: -room.x, top: -room.y };
  return [
    {
      draw(planes, view) {
        fold(heights, pixels, { tiles, flow, seconds: view.seconds, turn, unit: size.height * density });
        const texture = paintTexture(
          pixels,
          (row, y) => shadeRow(row, y, { heights, pixels, colors, flow, isCel }),
          { opaque: true },
        );
        drawBoard(planes, site, { texture, ...origin, depth: 0.5, detail }, view);
      },
    },
  ];
}

interface Folding {
  readonly tiles: { readonly large: Tile; readonly fine: Tile };
  readonly flow: Flow;
  readonly seconds: number;
  readonly turn: number;
  readonly unit: number;
}

/** Noise that is looked up at places which noise has moved, which noise has moved. */
function fold(
  heights: Float32Array,
  { width, height }: { width: number; height: number },
  folding: Folding,
): void {
  const { tiles, flow, seconds, turn, unit } = folding;
  const { large, fine } = tiles;
  const [alongX, alongY] = [Math.cos(turn), Math.sin(turn)];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const px = (x / unit) * flow.size;
      const py = (y / unit) * flow.size;
      const qx = readTile(large, px + seconds * 4.2, py + 17);
      const qy = readTile(large, py + 91 - seconds * 3.4, px + 53);
      const rx = px * alongX + py * alongY + flow.pull * qx;
      const ry = (py * alongX - px * alongY) * 0.55 + flow.pull * qy;
      heights[at] = readTile(fine, rx + seconds * 3.2, ry - seconds * 4.8) + 0.35 * qx;
    }
  }
}

interface Shading {
  readonly heights: Float32Array;
  readonly pixels: { readonly width: number; readonly height: number };
  readonly colors: readonly Rgb[];
  readonly flow: Flow;
  readonly isCel: boolean;
}

function shadeRow(row: Float32Array, y: number, { heights, pixels, colors, flow, isCel }: Shading): void {
  const { width, height } = pixels;
  const start = y * width;
  const below = Math.min(height - 1, y + 2) * width;
  const above = Math.max(0, y - 2) * width;
  const slopeScale = width / 68;
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const here = heights[start + x] as number;
    const across =
      ((heights[start + Math.min(width - 1, x + 2)] as number) -
        (heights[start + Math.max(0, x - 2)] as number)) *
      slopeScale;
    const down = ((heights[below + x] as number) - (heights[above + x] as number)) * slopeScale;
    const facing = 1 / Math.sqrt(1 + across * across + down * down);
    const lit = (0.55 * -across + 0.75 * -down + 0.9) * facing;
    const tone = 0.5 + 0.42 * Math.sin(here * 2.6 * flow.bands);
    const place = clamp(lerp(tone * 0.9, tone * 0.55 + lit * 0.28, flow.sheen));
    const color = colors[Math.floor((isCel ? Math.round(place * 6) / 6 : place) * 511)] ?? [0, 0, 0];
    const shine = clamp(lit) ** 22 * 46 * flow.sheen;
    const level = lerp(1, 0.5 + 0.55 * clamp(lit), 0.85);
    row[at] = color[0] * level + shine;
    row[at + 1] = color[1] * level + shine;
    row[at + 2] = color[2] * level + shine;
  }
}
