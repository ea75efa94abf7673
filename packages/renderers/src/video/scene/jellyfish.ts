import { clamp, smoothstep } from '../curves.ts';
import { between, pick, seededRandom } from '../random.ts';
import { mix, type Rgb, rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site } from './site.ts';

const COLORS: readonly [Rgb, ...Rgb[]] = [rgb('#ff8ad0'), rgb('#8ad0ff'), rgb('#c09aff'), rgb('#8affe0')];

/** Pictures of one beat, drawn beforehand. */
const BEATS = 18;
/** Pixels across the bell; the soft creatures are enlarged from there. */
const ACROSS = 84;

/** Jellyfish that pulse upwards, shining from within. */
export function createJellyfish(site: Site): Element {
  const { size, seed } = site;
  const random = seededRandom(seed, 'jellyfish');
  const pixels = { width: Math.round(ACROSS * 0.65) * 2, height: Math.round(ACROSS * 1.15) * 2 };
  const kinds = [pick(random, COLORS), pick(random, COLORS)].map((color) =>
    Array.from({ length: BEATS }, (_, beat) =>
      paintTexture(pixels, (row, y) => paintRow(row, y, pixels, color, (beat / BEATS) * 2 * Math.PI), {
        premultiplied: true,
      }),
    ),
  );
  const all = Array.from({ length: 6 }, (_, index) => ({
    x: (index + between(random, 0.2, 0.8)) / 6,
    y: between(random, 0.25, 0.75),
    wide: between(random, 0.09, 0.2),
    phase: random(),
    pace: between(random, 0.2, 0.3),
    textures: kinds[index % kinds.length] ?? [],
    depth: between(random, 0.25, 0.6),
  })).toSorted((a, b) => a.wide - b.wide);
  return {
    draw(planes, view) {
      for (const { x, y, wide, phase, pace, textures, depth } of all) {
        const beat = (view.seconds * pace + phase) % 1;
        const texture = textures[Math.floor(beat * BEATS)];
        if (!texture) continue;
        const rise = view.seconds * 0.018 + Math.sin(beat * 2 * Math.PI) * 0.006;
        const left = x * size.width - wide * 0.65 * size.height;
        const top = (y - rise - wide * 0.6) * size.height;
        const detail = ACROSS / (wide * size.height * site.density);
        drawBoard(planes, site, { texture, left, top, depth, detail }, view);
      }
    },
  };
}

function paintRow(
  row: Float32Array,
  y: number,
  { width, height }: { readonly width: number; readonly height: number },
  color: Rgb,
  beat: number,
): void {
  const down = (y / height) * 2.3;
  const squeeze = 1 + 0.12 * Math.sin(beat);
  for (let x = 0, at = 0; x < width; x++, at += 4) {
    const across = (x / width - 0.5) * 1.3 * 2;
    const level = down < 0.78 ? bell(across * squeeze, down / squeeze) : 0;
    const arms = down > 0.5 ? tentacles(across, down, beat) : 0;
    const glow = Math.exp(-Math.hypot(across, (down - 0.5) * 1.2) * 3) * 0.22;
    const total = clamp(level + arms + glow, 0, 1.4);
    const shown = mix(color, [255, 255, 255], clamp(level * 0.45));
    row[at] = shown[0] * total;
    row[at + 1] = shown[1] * total;
    row[at + 2] = shown[2] * total;
    row[at + 3] = clamp(level * 0.35);
  }
}

function bell(across: number, down: number): number {
  const height = 0.66;
  const inside = 1 - across * across - ((height - down) / height) ** 2;
  if (inside < 0 || down > height + 0.05 * Math.cos(across * 14)) return 0;
  const rim = smoothstep(0.3, 0, inside) * 0.65;
  const ribs = 0.12 * Math.max(0, Math.cos(across * 11)) * smoothstep(0, 0.5, down);
  return (0.24 + rim + ribs) * smoothstep(0, 0.04, inside);
}

function tentacles(across: number, down: number, beat: number): number {
  let sum = 0;
  for (let arm = -4; arm <= 4; arm++) {
    const root = arm * 0.19;
    const length = 1.5 + 0.3 * Math.cos(arm * 2.3);
    const at = (down - 0.55) / length;
    if (at < 0 || at > 1) continue;
    const wave = Math.sin(down * 5 - beat + arm) * 0.09 * at + root * (1 - 0.35 * at);
    sum += smoothstep(0.035, 0, Math.abs(across - wave)) * (1 - at) * 0.55;
  }
  return sum;
}
