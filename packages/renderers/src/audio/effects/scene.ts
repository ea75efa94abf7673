import type { Random } from '../dsp/random.ts';
import type { Stereo } from '../dsp/stereo.ts';

/** What an effect is drawn into. Its own loudness does not matter: the layer is levelled afterwards. */
export interface Scene {
  readonly out: Stereo;
  readonly length: number;
  readonly seconds: number;
  /** From 0.5, gentle, to 1.5, violent. */
  readonly force: number;
  readonly random: Random;
  /** A number of its own for every noise. */
  readonly nextSeed: () => number;
  /** The prompt's words, for those effects that have kinds. */
  readonly words: string;
}

export type Effect = (scene: Scene) => void;
