import { clamp, lerp } from '../../pixels/planes.ts';
import { fractalTile, readTile } from '../noise.ts';
import type { Size } from '../planes.ts';
import { seededRandom } from '../random.ts';
import { along, hsl, mix, type Rgb, saturated, scaled } from '../rgb.ts';
import { type PaintRow, paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

interface Flow {
  /** The size of the folds, how strongly they are distorted, and the number of color bands. */
  readonly size: number;
  readonly pull: number;
  readonly bands: number;
  /** How much it shines like cloth, 0 to 1. */
  readonly sheen: number;
}

const FLOWS: readonly Flow[] = [
  { size: 124, pull: 68, bands: 1.2, sheen: 1 },
  { size: 180, pull: 104, bands: 1.9, sheen: 0.55 },
  { size: 92, pull: 120, bands: 1.5, sheen: 0.85 },
];

/** Flowing folds of color, for prompts that name nothing that can be painted. */
export function composeAbstract(site: Site): readonly Element[] {
  const { size, seed } = site;
  const random = seededRandom(seed, 'abstract');
  const flow = FLOWS[Math.floor(random() * FLOWS.length)] as Flow;
  // Few pixels, because the soft folds are recomputed for every frame.
  const detail = Math.min(1, 480 / (size.width * site.density));
  const density = site.density * detail;
  const room = site.room(0.5);
  const pixels = textureSize(density, { width: size.width + 2 * room.x, height: size.height + 2 * room.y });
  const fold = createFolding(site, { flow, turn: random() * 6.28, unit: size.height * density });
  const palette = paletteOf(site);
  const colors = Array.from({ length: 512 }, (_, at) => along(palette, at / 511));
  const heights = new Float32Array(pixels.width * pixels.height);
  const paint = rowShader(heights, pixels, colors, flow);
  return [
    {
      draw(planes, view) {
        fold(heights, pixels, view.seconds);
        const texture = paintTexture(pixels, paint, { opaque: true });
        drawBoard(planes, site, { texture, left: -room.x, top: -room.y, depth: 0.5, detail }, view);
      },
    },
  ];
}

/** Five colors from dark to light, from the prompt or chosen by the seed. */
function paletteOf({ brief, seed }: Site): readonly Rgb[] {
  const { colors, mood } = brief;
  const random = seededRandom(seed, 'palette');
  const hue = random();
  const turn = (0.12 + 0.25 * random()) * (random() < 0.5 ? -1 : 1);
  const chosen = (steps: number, saturation: number, level: number): Rgb =>
    hsl((((hue + turn * steps) % 1) + 1) % 1, saturation, level);
  const [first] = colors;
  const palette: readonly Rgb[] = first
    ? [
        scaled(first, 0.16),
        scaled(first, 0.7),
        along(colors, 0.5),
        colors.length > 1 ? along(colors, 1) : mix(first, [255, 255, 255], 0.35),
        mix(along(colors, 1), [255, 250, 240], 0.75),
      ]
    : [
        chosen(0, 0.7, 0.09),
        chosen(0.4, 0.72, 0.3),
        chosen(1, 0.75, 0.52),
        chosen(1.6, 0.85, 0.7),
        chosen(2, 0.8, 0.92),
      ];
  return palette.map((color) => scaled(saturated(color, mood.saturation), mood.light));
}

/** Noise that is read at places displaced by other noise. */
function createFolding(
  { seed }: Site,
  { flow, turn, unit }: { readonly flow: Flow; readonly turn: number; readonly unit: number },
) {
  const large = fractalTile(512, { seed: seed + 801, cells: 4, octaves: 2, gain: 0.4 });
  const fine = fractalTile(512, { seed: seed + 802, cells: 5, octaves: 3, gain: 0.45 });
  const [alongX, alongY] = [Math.cos(turn), Math.sin(turn)];
  return (heights: Float32Array, { width }: Size, seconds: number): void => {
    for (let at = 0; at < heights.length; at++) {
      const px = ((at % width) / unit) * flow.size;
      const py = (Math.floor(at / width) / unit) * flow.size;
      const qx = readTile(large, px + seconds * 4.2, py + 17);
      const qy = readTile(large, py + 91 - seconds * 3.4, px + 53);
      const rx = px * alongX + py * alongY + flow.pull * qx;
      const ry = (py * alongX - px * alongY) * 0.55 + flow.pull * qy;
      heights[at] = readTile(fine, rx + seconds * 3.2, ry - seconds * 4.8) + 0.35 * qx;
    }
  };
}

function rowShader(
  heights: Float32Array,
  { width, height }: Size,
  colors: readonly Rgb[],
  flow: Flow,
): PaintRow {
  const heightAt = (column: number, line: number): number =>
    heights[clamp(line, 0, height - 1) * width + clamp(column, 0, width - 1)] as number;
  const slopeScale = width / 68;
  return (row, y) => {
    for (let x = 0, at = 0; x < width; x++, at += 4) {
      const across = (heightAt(x + 2, y) - heightAt(x - 2, y)) * slopeScale;
      const down = (heightAt(x, y + 2) - heightAt(x, y - 2)) * slopeScale;
      const lit = (0.9 - 0.55 * across - 0.75 * down) / Math.sqrt(1 + across * across + down * down);
      const tone = 0.5 + 0.42 * Math.sin(heightAt(x, y) * 2.6 * flow.bands);
      const place = clamp(lerp(tone * 0.9, tone * 0.55 + lit * 0.28, flow.sheen));
      const color = colors[Math.floor(place * 511)] ?? [0, 0, 0];
      const shine = clamp(lit) ** 22 * 46 * flow.sheen;
      const level = lerp(1, 0.5 + 0.55 * clamp(lit), 0.85);
      row[at] = color[0] * level + shine;
      row[at + 1] = color[1] * level + shine;
      row[at + 2] = color[2] * level + shine;
    }
  };
}
