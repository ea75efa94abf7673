/** Where light comes from, as seen in the picture: x to the right, y down, z towards the viewer. */
export type Direction = readonly [x: number, y: number, z: number];

/** How a backdrop is built. */
export type BackdropForm = 'sky' | 'studio' | 'room' | 'street' | 'foliage' | 'water' | 'space';

/** What one phrase of the vocabulary asks for. Every part is optional; numbers of several phrases add up. */
export interface Effect {
  /** More than one: a light from each. */
  readonly from?: readonly Direction[] | undefined;
  /** Of the light, as `#rrggbb`. */
  readonly color?: string | undefined;
  /** Of what the light does not reach. */
  readonly shade?: string | undefined;
  /** In stops. */
  readonly exposure?: number | undefined;
  /** From -1, hard, to 1, soft. */
  readonly softness?: number | undefined;
  /** How far light and shade are apart, from -1 to 1. */
  readonly contrast?: number | undefined;
  /** How much light runs along the edges of the subject. */
  readonly rim?: number | undefined;
  readonly haze?: number | undefined;
  /** Shafts of light in the air. */
  readonly rays?: number | undefined;
  readonly glow?: number | undefined;
  readonly saturation?: number | undefined;
  readonly warmth?: number | undefined;
  readonly vignette?: number | undefined;
  readonly backdrop?: BackdropWish | undefined;
}

export interface BackdropWish {
  readonly form?: BackdropForm | undefined;
  /** From the top to the horizon, as `#rrggbb`. */
  readonly sky?: readonly [top: string, middle: string, low: string] | undefined;
  readonly ground?: string | undefined;
  readonly clouds?: number | undefined;
  readonly stars?: number | undefined;
  /** The sun or moon in the sky. */
  readonly disc?: number | undefined;
  /** Colors of lamps out of focus. */
  readonly lamps?: readonly string[] | undefined;
}

/** Phrases that mean the same, separated by `|`, and what they ask for. */
export type Vocabulary = readonly (readonly [phrases: string, effect: Effect])[];
