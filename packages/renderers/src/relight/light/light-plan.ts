import type { Color } from '../../pixels/color.ts';
import type { BackdropForm, Direction } from '../prompt/effect.ts';

/** The light that is wanted, before it is laid over a picture. */
export interface LightPlan {
  /** The first is the key. */
  readonly lights: readonly Light[];
  /** Of what the lights do not reach, relative to a key of 1. */
  readonly ambient: Color;
  /** In stops, of the subject as a whole. */
  readonly exposure: number;
  /** 0 hard, 1 soft. */
  readonly softness: number;
  readonly haze: number;
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
  /** Along the edges of the subject. */
  readonly rim: number;
}

export interface Backdrop {
  readonly form: BackdropForm;
  readonly top: Color;
  readonly middle: Color;
  readonly low: Color;
  readonly ground: Color;
  readonly clouds: number;
  readonly stars: number;
  readonly disc: number;
  readonly lamps: readonly Color[];
}

/** Nothing was asked for: a soft light from the front and above that hardly changes the picture. */
export const DEFAULT_PLAN: LightPlan = {
  lights: [{ from: [-0.45, -0.6, 0.8], color: [1, 1, 1], power: 1, rim: 0 }],
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
