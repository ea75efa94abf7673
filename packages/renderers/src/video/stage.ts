import type { Look } from './finish.ts';
import type { Planes } from './planes.ts';

export interface Moment {
  readonly seconds: number;
  /** 0 at the first frame, 1 at the last. */
  readonly progress: number;
}

export interface Stage {
  readonly look: Look;
  /** How much of the look is applied, 0 to 1. */
  lookAt(moment: Moment): number;
  /** Fills the whole picture. */
  draw(planes: Planes, moment: Moment): void;
}
