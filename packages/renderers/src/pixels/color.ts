/** Linear light, 0 to 1 each, unless said otherwise. */
export type Color = readonly [red: number, green: number, blue: number];

/** Light of each of the 256 sRGB values. */
export const LINEAR_OF_BYTE: Float32Array = Float32Array.from({ length: 256 }, (_, value) =>
  linearFromSrgb(value / 255),
);

export function linearFromSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function srgbFromLinear(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

export const RED_WEIGHT = 0.2126;
export const GREEN_WEIGHT = 0.7152;
export const BLUE_WEIGHT = 0.0722;

export function luminance(red: number, green: number, blue: number): number {
  return RED_WEIGHT * red + GREEN_WEIGHT * green + BLUE_WEIGHT * blue;
}

/** From `#ffb070` to linear light. */
export function colorFromHex(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [
    LINEAR_OF_BYTE[(value >> 16) & 255] ?? 0,
    LINEAR_OF_BYTE[(value >> 8) & 255] ?? 0,
    LINEAR_OF_BYTE[value & 255] ?? 0,
  ];
}

/** The same hue with a luminance of 1. */
export function tintOf([red, green, blue]: Color): Color {
  const light = Math.max(1e-4, luminance(red, green, blue));
  return [red / light, green / light, blue / light];
}

export function mixColors(one: Color, other: Color, share: number): Color {
  return [
    one[0] + (other[0] - one[0]) * share,
    one[1] + (other[1] - one[1]) * share,
    one[2] + (other[2] - one[2]) * share,
  ];
}

export function scaleColor([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor];
}
