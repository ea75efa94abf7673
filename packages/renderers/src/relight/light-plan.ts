import type { Color } from '../pixels/color.ts';

/** Where light comes from, as seen in the picture: x to the right, y down, z towards the viewer. */
export type Direction = readonly [x: number, y: number, z: number];

/** The wanted light, independent of the picture. */
export interface LightPlan {
  /** The first is the key light. */
  readonly lights: readonly Light[];
  /** Light where no lamp reaches, relative to a key light of 1. */
  readonly ambient: Color;
  /** In stops. */
  readonly exposure: number;
  /** 0 hard, 1 soft. */
  readonly softness: number;
  readonly haze: number;
  /** Shafts of light in the air. */
  readonly rays: number;
  readonly glow: number;
  /** 0 keeps the colors, -1 takes them all away. */
  readonly saturation: number;
  readonly vignette: number;
  readonly backdrop: Backdrop | undefined;
}

export interface Light {
  readonly from: Direction;
  readonly color: Color;
  readonly power: number;
}

/** The replacement of a plain background: a soft gradient, and lights out of focus. */
export interface Backdrop {
  readonly sky: readonly [top: Color, middle: Color, low: Color];
  readonly lamps: readonly Color[];
  readonly stars: number;
}

/** Without a request: soft light from the front and above that hardly changes the picture. */
export const DEFAULT_PLAN: LightPlan = {
  lights: [{ from: [-0.45, -0.6, 0.8], color: [1, 1, 1], power: 1 }],
  ambient: [0.62, 0.62, 0.62],
  exposure: 0.08,
  softness: 0.75,
  haze: 0,
  rays: 0,
  glow: 0,
  saturation: 0,
  vignette: 0,
  backdrop: undefined,
};

export function toUnit([x, y, z]: Direction): Direction {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
