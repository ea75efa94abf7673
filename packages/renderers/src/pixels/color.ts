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

/** A color as people write it, `#ffb070`, in linear light. */
export function colorFromHex(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [
    LINEAR_OF_BYTE[(value >> 16) & 255] ?? 0,
    LINEAR_OF_BYTE[(value >> 8) & 255] ?? 0,
    LINEAR_OF_BYTE[value & 255] ?? 0,
  ];
}

/** The same color with a luminance of 1: what a light does to hue, without what it does to brightness. */
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

/** Lightness and the two opponent axes of Oklab: equal distances look about equally different. */
export function oklabFromLinear([red, green, blue]: Color): Color {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}
