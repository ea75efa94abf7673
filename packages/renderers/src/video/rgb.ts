import { type Color, luminance, mixColors as mix } from '../pixels/color.ts';
import { clamp, lerp } from '../pixels/planes.ts';

export { mixColors as mix, scaleColor as scaled } from '../pixels/color.ts';

/** 0 to 255, encoded as sRGB. */
export type Rgb = Color;

export function rgb(code: string): Rgb {
  const value = Number.parseInt(code.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function saturated(color: Rgb, by: number): Rgb {
  const gray = luminance(...color);
  return [
    clamp(lerp(gray, color[0], by), 0, 255),
    clamp(lerp(gray, color[1], by), 0, 255),
    clamp(lerp(gray, color[2], by), 0, 255),
  ];
}

/** Takes the hue of `hue` and keeps how bright `color` is. */
export function tinted(color: Rgb, hue: Rgb, by: number): Rgb {
  const level = luminance(...color) / Math.max(1, luminance(...hue));
  const full: Rgb = [
    Math.min(255, hue[0] * level),
    Math.min(255, hue[1] * level),
    Math.min(255, hue[2] * level),
  ];
  return mix(color, full, by);
}

export function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const at = (offset + hue * 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Interpolates a list of colors, evenly spaced from 0 to 1. */
export function along(colors: readonly Rgb[], at: number): Rgb {
  const place = clamp(at) * (colors.length - 1);
  const index = Math.min(colors.length - 2, Math.floor(place));
  const from = colors[index];
  const to = colors[index + 1];
  if (!from || !to) return colors[0] ?? [0, 0, 0];
  return mix(from, to, place - index);
}
