import type { Color } from '../pixels/color.ts';
import type { RelightSettings } from '../render-request.ts';

const BLACK: Color = [0, 0, 0];

const PLAIN = {
  /** Stops. */
  exposure: 0,
  /** Factor of how far light and shade are apart. */
  relief: 1,
  /** Factor of how much the colors of the light show. */
  tint: 1,
  /** Added to the softness of the light. */
  softness: 0,
  /** How far bright and dark areas are brought together without losing details, 0 to 1. */
  compression: 0,
  /** Of the tone curve, about 0. */
  contrast: 0,
  /** Of the darkest tones, 0 to 255. */
  lift: 0,
  saturation: 1,
  /** Above 0 small details stand out more, below 0 they fade. */
  detail: 0,
  glow: 0,
  haze: 0,
  /** Added to shadows and highlights, in steps of 0 to 255. */
  shadows: BLACK,
  highlights: BLACK,
  /** Film grain, in steps of 0 to 255. */
  grain: 0,
  /** How far the finished picture is stretched to black and white, 0 to 1. */
  levels: 0,
};

/** How a style or an engine treats light and tone. */
export type Look = Readonly<typeof PLAIN>;

export const STYLES: Readonly<Record<RelightSettings['style'], Partial<Look>>> = {
  standard: {},
  darker_but_realistic: { exposure: -0.7, relief: 1.15, saturation: 0.94, contrast: 0.12 },
  clean: {
    exposure: 0.25,
    relief: 0.72,
    tint: 0.55,
    softness: 0.25,
    saturation: 0.97,
    detail: 0.15,
    levels: 0.6,
  },
  smooth: { softness: 0.45, relief: 0.85, detail: -0.35, contrast: -0.12, glow: 0.2 },
  brighter: { exposure: 0.6, relief: 0.9, compression: 0.15, lift: 3 },
  contrasted_n_hdr: {
    relief: 1.2,
    compression: 0.45,
    contrast: 0.3,
    saturation: 1.15,
    detail: 0.45,
    levels: 0.5,
  },
  just_composition: { tint: 0, relief: 0.85 },
};

export const ENGINES: Readonly<Record<RelightSettings['engine'], Partial<Look>>> = {
  automatic: { compression: 0.12, contrast: 0.06, levels: 0.35, detail: 0.08 },
  balanced: {},
  cool: { contrast: 0.14, saturation: 0.94, shadows: [-7, 1, 13], highlights: [-6, 1, 6], detail: 0.1 },
  real: { relief: 0.88, tint: 0.8, saturation: 0.9, contrast: 0.16, grain: 2.2, detail: 0.15 },
  illusio: {
    relief: 1.3,
    tint: 1.35,
    saturation: 1.2,
    glow: 0.4,
    shadows: [6, -5, 16],
    highlights: [10, 2, -8],
  },
  fairy: {
    exposure: 0.25,
    relief: 0.75,
    softness: 0.4,
    glow: 0.5,
    haze: 0.1,
    lift: 14,
    contrast: -0.18,
    detail: -0.25,
    shadows: [8, -1, 12],
    highlights: [6, 1, 4],
  },
  colorful_anime: {
    saturation: 1.5,
    exposure: 0.15,
    detail: -0.6,
    contrast: 0.16,
    levels: 0.5,
    compression: 0.1,
  },
  hard_transform: { relief: 1.55, tint: 1.25, softness: -0.45, contrast: 0.25, detail: 0.15 },
  softy: { relief: 0.7, softness: 0.6, contrast: -0.25, lift: 8, detail: -0.3, glow: 0.3, saturation: 0.95 },
};

/** Style and engine together. Only engines tint shadows and highlights. */
export function lookOf({ style, engine }: RelightSettings): Look {
  const one = { ...PLAIN, ...STYLES[style] };
  const other = { ...PLAIN, ...ENGINES[engine] };
  return {
    exposure: one.exposure + other.exposure,
    relief: one.relief * other.relief,
    tint: one.tint * other.tint,
    softness: one.softness + other.softness,
    compression: one.compression + other.compression,
    contrast: one.contrast + other.contrast,
    lift: one.lift + other.lift,
    saturation: one.saturation * other.saturation,
    detail: one.detail + other.detail,
    glow: one.glow + other.glow,
    haze: one.haze + other.haze,
    shadows: other.shadows,
    highlights: other.highlights,
    grain: one.grain + other.grain,
    levels: Math.max(one.levels, other.levels),
  };
}
