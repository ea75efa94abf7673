import { clamp, lerp } from '../../curves.ts';
import type { Size } from '../../planes.ts';
import { mix, type Rgb, rgb, scaled } from '../../rgb.ts';
import { paintTexture, type Texture } from '../../texture.ts';
import type { Site } from '../site.ts';
import { shadeOf } from '../terrain.ts';
import { LAMP } from './flyers.ts';

/** One picture of a figure in the light of the scene. */
export interface Pose {
  readonly body: Texture;
  /** On the ground; its upper edge is where the figure stands. */
  readonly shadow?: Texture | undefined;
  /** In water or on wet ground, upside down. */
  readonly mirror?: Texture | undefined;
}

/** A drawing: four bytes a pixel, and how much of each pixel and of its surroundings it covers. */
interface Drawing extends Size {
  readonly pixels: Uint8Array;
  readonly cover: Float32Array;
  readonly around: Float32Array;
}

export function paintPose(
  site: Site,
  pixels: Uint8Array,
  size: Size,
  { haze, falls }: { readonly haze: number; readonly falls: 'shadow' | 'mirror' | 'nothing' },
): Pose {
  const cover = new Float32Array(size.width * size.height);
  for (let at = 0; at < cover.length; at++) cover[at] = (pixels[at * 4 + 3] as number) / 255;
  const around = blurred(cover, size, Math.max(1, Math.round(size.height * 0.035)));
  const drawing = { ...size, pixels, cover, around };
  const colors = litColors(site, drawing, haze);
  return {
    body: paintTexture(size, (row, y) =>
      row.set(colors.subarray(y * size.width * 4, (y + 1) * size.width * 4)),
    ),
    ...(falls === 'shadow' && { shadow: paintShadow(site, drawing) }),
    ...(falls === 'mirror' && { mirror: paintMirror(site, drawing, colors) }),
  };
}

/** Where the sun is, seen from a figure; the length is 1. */
function toSun({ light, size }: Site): readonly [number, number] {
  const x = ((light.sun.x - 0.5) * size.width) / size.height;
  const y = -(Math.max(0, light.sun.height) + 0.22);
  const length = Math.hypot(x, y);
  return [x / length, y / length];
}

/**
 * The sun of a scene stands behind its figures: they are dark towards the camera, the darker the lower it is, round towards the sun, and
 * have an edge of light there. Lamps shine in the dark.
 */
function litColors(
  site: Site,
  { width, height, pixels, cover, around }: Drawing,
  haze: number,
): Float32Array {
  const { light } = site;
  const lamp = rgb(LAMP);
  const [dx, dy] = toSun(site);
  const isLow = light.sun.height < 0.2;
  const base = light.sun.strength === 0 ? 0.5 : isLow ? 0.34 : 0.56;
  const round = light.sun.strength === 0 ? 0.22 : 0.5;
  const edge = Math.max(1, height * 0.014);
  const reach = Math.max(1.5, height * 0.03);
  const at = (plane: Float32Array, x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height
      ? 0
      : (plane[Math.floor(y) * width + Math.floor(x)] as number);
  const colors = new Float32Array(width * height * 4);
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const alpha = cover[pixel] as number;
      if (alpha === 0) continue;
      const from = pixel * 4;
      const color: Rgb = [pixels[from] as number, pixels[from + 1] as number, pixels[from + 2] as number];
      const isLamp =
        Math.abs(color[0] - lamp[0]) + Math.abs(color[1] - lamp[1]) + Math.abs(color[2] - lamp[2]) < 12;
      // Sails and other white cloth let light through.
      const through = isLow && Math.min(...color) > 185 ? 0.42 : 0;
      const facing = at(around, x - dx * reach, y - dy * reach) - at(around, x + dx * reach, y + dy * reach);
      const rim = clamp(alpha - at(cover, x + dx * edge, y + dy * edge)) * light.sun.strength;
      const shaded = mix(
        shadeOf(site, color, clamp(base + through + facing * round, 0.05, 1.1)),
        light.haze,
        haze,
      );
      const edged = mix(
        shaded,
        mix(color, light.sunlight, 0.6),
        rim * (isLow || light.dark > 0.3 ? 0.75 : 0.4),
      );
      const shown =
        isLamp && light.dark > 0.3 ? scaled(lamp, 1.2) : isLamp ? mix(edged, light.middle, 0.5) : edged;
      colors.set(shown, from);
      colors[from + 3] = alpha;
    }
  }
  return colors;
}

/** Towards the camera and away from the sun, longer when it is low; only a soft dark place where there is none. */
function paintShadow(site: Site, { width, height, cover, around }: Drawing): Texture {
  const { light } = site;
  const { sun } = light;
  const long = Math.round(height * clamp(0.14 / (Math.max(0, sun.height) + 0.08), 0.24, 0.8));
  const slope = clamp((0.5 - sun.x) * 2.6, -1, 1);
  const aside = Math.ceil((Math.abs(slope) * long) / 2) * 2;
  const strength = sun.strength * lerp(0.55, 0.4, light.dark);
  const color = scaled(light.ambient, 0.16);
  const rise = height * 0.03;
  // As wide on both sides as it reaches on one: the figure stands over its middle.
  const size = { width: width + 2 * aside, height: Math.ceil((long + rise) / 2) * 2 };
  return paintTexture(size, (row, y) => {
    const down = (y - rise) / long;
    const from = Math.floor(height * 0.97 * (1 - down)) * width;
    for (let x = 0, at = 0; x < size.width; x++, at += 4) {
      const source = Math.round(x - aside - slope * down * long);
      const isInside = down > 0 && source >= 0 && source < width && from >= 0;
      const sharp = isInside
        ? lerp(cover[from + source] as number, around[from + source] as number, Math.min(1, 0.3 + down))
        : 0;
      const ax = (x - size.width / 2) / (width * 0.34);
      const ay = (y - rise) / (rise * 1.1);
      const contact = 0.42 * clamp(1 - ax * ax - ay * ay);
      row.set(color, at);
      row[at + 3] = Math.max(contact, sharp * strength * (1 - 0.55 * clamp(down)));
    }
  });
}

/** Upside down, fainter with the depth, in the color of what it lies in. */
function paintMirror({ light, brief }: Site, { width, height }: Drawing, colors: Float32Array): Texture {
  const strength = brief.ground === 'street' ? 0.4 : 0.62;
  const tint = scaled(light.middle, 0.55);
  return paintTexture({ width, height }, (row, y) => {
    const from = (height - 1 - y) * width * 4;
    for (let at = 0; at < width * 4; at += 4) {
      const color: Rgb = [
        colors[from + at] as number,
        colors[from + at + 1] as number,
        colors[from + at + 2] as number,
      ];
      row.set(mix(color, tint, 0.35), at);
      row[at + 3] = (colors[from + at + 3] as number) * strength * (1 - (0.85 * y) / height);
    }
  });
}

function blurred(plane: Float32Array, { width, height }: Size, radius: number): Float32Array {
  const across = new Float32Array(plane.length);
  const both = new Float32Array(plane.length);
  const run = (from: Float32Array, to: Float32Array, start: number, step: number, count: number): void => {
    let sum = 0;
    for (let at = -radius; at < count + radius; at++) {
      if (at + radius < count) sum += from[start + (at + radius) * step] as number;
      if (at - radius - 1 >= 0) sum -= from[start + (at - radius - 1) * step] as number;
      if (at >= 0 && at < count) to[start + at * step] = sum / (2 * radius + 1);
    }
  };
  for (let y = 0; y < height; y++) run(plane, across, y * width, 1, width);
  for (let x = 0; x < width; x++) run(across, both, x, width, height);
  return both;
}
