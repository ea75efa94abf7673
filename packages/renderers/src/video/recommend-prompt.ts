import { type Picture, readPicture } from '../pixels/picture.ts';
import { smoothstep } from './curves.ts';
import { type DepthMap, estimateDepth } from './photo/depth-map.ts';

/** Describes a picture and a movement that suits it, as a prompt. */
export async function recommendPrompt(imagePath: string): Promise<string> {
  return describe(await readPicture(imagePath, { longestEdge: 480 }));
}

interface Impression {
  /** 0 to 255. */
  readonly light: number;
  readonly contrast: number;
  /** 0 to 1. */
  readonly color: number;
  /** Above 0 is warm. */
  readonly warmth: number;
  readonly hues: readonly string[];
  /** Shares of the picture, 0 to 1. */
  readonly sky: number;
  readonly green: number;
  readonly water: number;
  readonly skin: number;
  /** How much the middle stands out from the rest. */
  readonly subject: number;
}

function describe(picture: Picture): string {
  const { width, height } = picture;
  const seen = impressionOf(picture, estimateDepth(picture));
  const time =
    seen.light < 62
      ? 'night'
      : seen.light < 105 && seen.warmth > 12
        ? 'sunset'
        : seen.light > 165
          ? 'bright day'
          : 'soft daylight';
  const tone = seen.color < 0.12 ? 'muted, almost monochrome' : `${seen.hues.join(' and ')} tones`;
  const place =
    seen.skin > 0.16
      ? 'a portrait'
      : seen.sky > 0.18
        ? seen.water > 0.1
          ? 'an open view over water'
          : seen.green > 0.2
            ? 'a green landscape'
            : 'an open view'
        : seen.green > 0.3
          ? 'lush greenery'
          : seen.subject > 0.3
            ? 'a single subject'
            : 'a detailed scene';
  const camera = cameraFor(seen, width / height);
  const life = [
    seen.sky > 0.18 ? 'clouds drifting' : undefined,
    seen.water > 0.1 ? 'water rippling' : undefined,
    seen.green > 0.2 ? 'leaves swaying in the breeze' : undefined,
    seen.skin > 0.16 ? 'hair moving softly' : undefined,
    time === 'sunset' ? 'warm light glowing' : undefined,
  ].filter((detail) => detail !== undefined);
  const details = life.length > 0 ? life.slice(0, 2).join(', ') : 'dust floating in the light';
  const mood = seen.contrast > 62 ? 'dramatic' : seen.light > 150 ? 'airy' : 'calm';
  return `A cinematic, ${mood} shot of ${place} in ${time}, ${tone}; ${camera}, ${details}.`;
}

function cameraFor({ skin, subject }: Impression, aspect: number): string {
  if (skin > 0.16) return 'the camera slowly pushes in';
  if (aspect > 1.9) return 'the camera pans right';
  if (aspect < 0.65) return 'the camera tilts up';
  return subject > 0.3 ? 'the camera slowly pushes in' : 'the camera orbits gently to the right';
}

function impressionOf({ width, height, rgb }: Picture, depth: DepthMap): Impression {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 20_000)));
  const counts = new Map<string, number>();
  const sums = { light: 0, square: 0, color: 0, warmth: 0, green: 0, water: 0, skin: 0, samples: 0 };
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const at = (y * width + x) * 3;
      const [red, green, blue] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number];
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      const most = Math.max(red, green, blue);
      const color = most > 0 ? (most - Math.min(red, green, blue)) / most : 0;
      sums.samples++;
      sums.light += light;
      sums.square += light * light;
      sums.color += color;
      sums.warmth += red - blue;
      if (green > red * 1.04 && green > blue * 1.1 && color > 0.15) sums.green++;
      if (y > height * 0.45 && blue > red * 1.12 && blue >= green * 0.95 && color > 0.15) sums.water++;
      if (red > 95 && red > green * 1.12 && green > blue * 1.02 && color > 0.2 && color < 0.62 && light > 70)
        sums.skin++;
      if (color > 0.2 && light > 25)
        counts.set(hueName(red, green, blue), (counts.get(hueName(red, green, blue)) ?? 0) + color);
    }
  }
  const { samples } = sums;
  const mean = sums.light / samples;
  return {
    light: mean,
    contrast: Math.sqrt(Math.max(0, sums.square / samples - mean * mean)),
    color: sums.color / samples,
    warmth: sums.warmth / samples,
    hues: [...counts]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 2)
      .map(([name]) => name),
    sky: depth.sky.reduce((sum, value) => sum + value, 0) / depth.sky.length,
    green: sums.green / samples,
    water: sums.water / samples,
    skin: sums.skin / samples,
    subject: standingOut(depth),
  };
}

const HUES: readonly (readonly [number, string])[] = [
  [18, 'red'],
  [42, 'orange'],
  [68, 'golden'],
  [160, 'green'],
  [195, 'teal'],
  [250, 'blue'],
  [295, 'violet'],
  [340, 'pink'],
  [360, 'red'],
];

function hueName(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue) || 1;
  const sector =
    most === red
      ? (green - blue) / span
      : most === green
        ? 2 + (blue - red) / span
        : 4 + (red - green) / span;
  const degrees = (sector * 60 + 360) % 360;
  return HUES.find(([limit]) => degrees <= limit)?.[1] ?? 'red';
}

/** How much nearer the middle is than the edges. */
function standingOut({ columns, rows, depth }: DepthMap): number {
  let inside = 0;
  let outside = 0;
  let insiders = 0;
  for (let at = 0; at < depth.length; at++) {
    const x = Math.abs(((at % columns) + 0.5) / columns - 0.5) * 2;
    const y = Math.abs((Math.floor(at / columns) + 0.5) / rows - 0.5) * 2;
    const weight = smoothstep(0.75, 0.35, Math.max(x, y));
    inside += (depth[at] as number) * weight;
    outside += (depth[at] as number) * (1 - weight);
    insiders += weight;
  }
  return inside / Math.max(1, insiders) - outside / Math.max(1, depth.length - insiders);
}
