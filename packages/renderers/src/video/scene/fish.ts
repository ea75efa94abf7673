import { clamp, lerp } from '../curves.ts';
import { drawTexture } from '../draw-texture.ts';
import { noiseAlong } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { mix, type Rgb, scaled } from '../rgb.ts';
import type { Texture } from '../texture.ts';
import { type Canvas, dab, newCanvas, toTexture } from './canvas.ts';
import { type Element, project, type Site } from './site.ts';

export interface School {
  readonly depth: number;
  /** Length of a fish, in heights of the frame. */
  readonly size: number;
  readonly count: number;
  readonly colors: readonly Rgb[];
}

/** Strokes of the tail that are drawn beforehand. */
const STROKES = 8;

/** Fish that swim together, each at its own beat. */
export function createFish(site: Site, { depth, size: length, count, colors }: School): Element {
  const { size, seed } = site;
  const random = seededRandom(seed, `fish ${depth}`);
  const direction = random() < 0.5 ? -1 : 1;
  const pixels = Math.max(10, Math.round((length * size.height * 1.15) / 2) * 2);
  const kinds = colors
    .slice(0, 3)
    .map((color) =>
      Array.from({ length: STROKES }, (_, stroke) =>
        drawFish(pixels, color, (stroke / STROKES) * 2 * Math.PI, direction),
      ),
    );
  const center = { x: between(random, 0.25, 0.75), y: between(random, 0.25, 0.6) };
  const school = Array.from({ length: count }, () => ({
    x: center.x + (random() + random() - 1) * 0.42,
    y: center.y + (random() + random() - 1) * 0.24,
    phase: random(),
    pace: between(random, 0.85, 1.2),
    kind: kinds[Math.floor(random() * kinds.length)] ?? [],
    large: between(random, 0.7, 1.15),
  })).toSorted((a, b) => a.large - b.large);
  // They come back on the other side where the camera never looks.
  const edge = site.room(depth).x / size.width + 0.15;
  const span = 1 + 2 * edge;
  const speed = lerp(0.025, 0.055, depth);
  return {
    draw(planes, view) {
      const { seconds } = view;
      const { scale, left, top } = project(site, view, depth);
      for (const fish of school) {
        const along =
          fish.x +
          direction * seconds * speed * fish.pace +
          noiseAlong(seconds * 0.5 + fish.phase * 40, seed) * 0.012;
        const x = (along - Math.floor((along + edge) / span) * span) * size.width;
        const y = (fish.y + noiseAlong(seconds * 0.6 + fish.phase * 80, seed + 1) * 0.02) * size.height;
        const beat = Math.floor((seconds * 2.6 * fish.pace + fish.phase) * STROKES) % STROKES;
        const texture: Texture | undefined = fish.kind[beat];
        if (texture)
          drawTexture(planes, texture, {
            left: x * scale + left,
            top: y * scale + top,
            scale: scale * fish.large,
          });
      }
    },
  };
}

/** A fish from the side; its tail swings with the phase. */
function drawFish(pixels: number, color: Rgb, phase: number, direction: number): Texture {
  const canvas: Canvas = newCanvas({ width: pixels, height: Math.max(2, Math.round(pixels * 0.3) * 2) });
  const { width, height } = canvas;
  const subpixels = 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let cover = 0;
      for (let sample = 0; sample < subpixels * subpixels; sample++) {
        const sx = (x + ((sample % subpixels) + 0.5) / subpixels) / width;
        const sy = (y + (Math.floor(sample / subpixels) + 0.5) / subpixels) / height - 0.5;
        if (isFish(direction > 0 ? 1 - sx : sx, sy, phase)) cover++;
      }
      if (cover === 0) continue;
      const down = y / height;
      const shaded = mix(
        scaled(color, lerp(1.15, 0.55, down)),
        [255, 255, 255],
        clamp(0.5 - Math.abs(down - 0.62) * 6) * 0.5,
      );
      dab(canvas, x, y, shaded, cover / (subpixels * subpixels));
    }
  }
  return toTexture(canvas);
}

/** `x` from the nose to the tail. */
function isFish(x: number, y: number, phase: number): boolean {
  const bend = Math.sin(phase + x * 3) * 0.07 * x * x;
  const across = Math.abs(y - bend);
  if (x < 0.76)
    return (
      across < 0.3 * Math.sqrt(Math.max(0, x / 0.76)) * (1 - (x / 0.76) ** 2.4) + 0.035 * (x > 0.3 ? 1 : 0)
    );
  const tail = (x - 0.74) / 0.26;
  return across < 0.03 + tail * 0.3 && across > tail * tail * 0.13 - 0.02;
}
