import type { Color } from '../../pixels/color.ts';

/** How a style or an engine treats light and tone. Two of them add up: numbers are added, factors multiplied. */
export interface Look {
  /** Stops. */
  readonly exposure: number;
  /** Factor of how far light and shade are apart. */
  readonly relief: number;
  /** Factor of how much the colors of the light show. */
  readonly tint: number;
  /** Added to the softness of the light. */
  readonly softness: number;
  /** How much of the light that the picture already has is taken away first, 0 to 1. */
  readonly unlit: number;
  /** How far bright and dark areas are brought together, details kept: 0 to 1. */
  readonly compression: number;
  /** Of the tone curve, about 0. */
  readonly contrast: number;
  /** Of the darkest tones, 0 to 255. */
  readonly lift: number;
  readonly saturation: number;
  /** Above 0 small details stand out more, below 0 they fade; -1 leaves none. */
  readonly detail: number;
  readonly glow: number;
  readonly haze: number;
  /** Steps of 0 to 255 that are added to shadows and to lights. */
  readonly shadows: Color;
  readonly highlights: Color;
  /** Into how many steps the light falls apart; 0: none. */
  readonly bands: number;
  /** Film grain, in steps of 0 to 255. */
  readonly grain: number;
  /** How far the range of the finished picture is stretched to black and white, 0 to 1. */
  readonly levels: number;
}

export const PLAIN_LOOK: Look = {
  exposure: 0,
  relief: 1,
  tint: 1,
  softness: 0,
  unlit: 0.45,
  compression: 0,
  contrast: 0,
  lift: 0,
  saturation: 1,
  detail: 0,
  glow: 0,
  haze: 0,
  shadows: [0, 0, 0],
  highlights: [0, 0, 0],
  bands: 0,
  grain: 0,
  levels: 0,
};

export function combineLooks(one: Look, other: Look): Look {
  return {
    exposure: one.exposure + other.exposure,
    relief: one.relief * other.relief,
    tint: one.tint * other.tint,
    softness: one.softness + other.softness,
    unlit: Math.min(1, Math.max(one.unlit, other.unlit)),
    compression: Math.min(1, one.compression + other.compression),
    contrast: one.contrast + other.contrast,
    lift: one.lift + other.lift,
    saturation: one.saturation * other.saturation,
    detail: one.detail + other.detail,
    glow: one.glow + other.glow,
    haze: one.haze + other.haze,
    shadows: sum(one.shadows, other.shadows),
    highlights: sum(one.highlights, other.highlights),
    bands: Math.max(one.bands, other.bands),
    grain: one.grain + other.grain,
    levels: Math.max(one.levels, other.levels),
  };
}

function sum(one: Color, other: Color): Color {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}
