import { ease } from './curves.ts';
import { noiseAlong } from './noise.ts';
import { between, pick, type Random } from './random.ts';

export type Move =
  | 'push in'
  | 'pull out'
  | 'pan left'
  | 'pan right'
  | 'tilt up'
  | 'tilt down'
  | 'orbit left'
  | 'orbit right'
  | 'hold';

/** Where the camera is: sideways and up as parts of the frame's width and height, forward as a factor of size. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  /** 1 or more. */
  readonly zoom: number;
  /** How far it has turned around what it looks at: near things go one way, far ones the other. */
  readonly orbit: number;
}

export interface CameraPlan {
  readonly move: Move;
  /** 1 is a calm, clearly visible move. */
  readonly amount: number;
  readonly handheld: boolean;
  readonly seed: number;
}

export type Movement = 'auto' | 'small' | 'medium' | 'large';

const AMOUNTS: Readonly<Record<Movement, number>> = { auto: 1, small: 0.45, medium: 1, large: 1.9 };

const NAMED: readonly (readonly [RegExp, Move])[] = [
  [
    /\b(zoom(s|ing)? out|pull(s|ing)?[ -](out|back|away)|dolly(ing)? (out|back)|back(s|ing)? away|reveals?)\b/,
    'pull out',
  ],
  [
    /\b(zoom(s|ing)?( in)?|push(es|ing)?[ -](in|forward)|dolly(ing)?( in)?|close[ -]?up|approach(es|ing)?|mov(es?|ing) (closer|forward)|fly(ing)? (through|over|into|forward)|fly-?through|drone|aerial|forward)\b/,
    'push in',
  ],
  [
    /\b(pan(s|ning)?|truck(s|ing)?|track(s|ing)?|slid(es?|ing)|mov(es?|ing)|sweep(s|ing)?) (to the )?left\b/,
    'pan left',
  ],
  [
    /\b(pan(s|ning)?|truck(s|ing)?|track(s|ing)?|slid(es?|ing)|mov(es?|ing)|sweep(s|ing)?) (to the )?right\b/,
    'pan right',
  ],
  [
    /\b(orbit(s|ing)?|circl(es?|ing)|rotat(es?|ing)|revolv(es?|ing)|arc shot|turntable|around)\b.*\bleft\b/,
    'orbit left',
  ],
  [
    /\b(orbit(s|ing)?|circl(es?|ing)|rotat(es?|ing)|revolv(es?|ing)|arc shot|turntable|around (the|a|an|it|him|her|them)|360)\b/,
    'orbit right',
  ],
  [
    /\b(tilt(s|ing)?|pan(s|ning)?|look(s|ing)?|mov(es?|ing)) (up|upwards?)\b|\b(crane|pedestal|boom)( shot)? up\b|\bcrane shot\b|\brising (camera|shot)\b|\bascend(s|ing)?\b/,
    'tilt up',
  ],
  [
    /\b(tilt(s|ing)?|pan(s|ning)?|look(s|ing)?|mov(es?|ing)) (down|downwards?)\b|\b(crane|pedestal|boom)( shot)? down\b|\bdescend(s|ing)?\b/,
    'tilt down',
  ],
  [/\b(pan(s|ning)?|tracking( shot)?|side(ways)? scroll(ing)?)\b/, 'pan right'],
  [
    /\b(static|locked[ -]?(off|down)?|fixed|still|tripod|stationary|motionless) ?(camera|shot|frame)?\b/,
    'hold',
  ],
];

export function planCamera(
  prompt: string,
  {
    movement,
    random,
    free,
  }: { readonly movement: Movement; readonly random: Random; readonly free: readonly [Move, ...Move[]] },
): CameraPlan {
  const text = prompt.toLowerCase();
  const named = NAMED.find(([words]) => words.test(text))?.[1];
  // Drawn either way, so that a camera word changes only the camera.
  const chosen = pick(random, free);
  const seed = Math.floor(random() * 2 ** 31);
  const varied = movement === 'auto' ? between(random, 0.75, 1.15) : 1;
  const haste = /\b(fast|quick|rapid|swift|dynamic|dramatic)/.test(text)
    ? 1.25
    : /\b(slow|slowly|gentle|gently|subtle|calm)/.test(text)
      ? 0.8
      : 1;
  return {
    move: named ?? chosen,
    amount: AMOUNTS[movement] * varied * haste,
    handheld: /\b(hand-?held|shaky|documentary|found footage|vlog)\b/.test(text),
    seed,
  };
}

/** `progress` goes from 0 to 1 over the video. At 0 the camera is where the start frame was taken, except for what has to begin closer. */
export function cameraAt(plan: CameraPlan, progress: number, seconds: number): Camera {
  const at = ease(progress);
  const { amount } = plan;
  const base = moved(plan.move, at, amount);
  if (!plan.handheld) return base;
  // Grows from rest, so that the first frame is the start frame.
  const shake = Math.min(1, seconds * 2) * 0.006 * amount;
  return {
    ...base,
    x: base.x + noiseAlong(seconds * 1.7, plan.seed) * shake,
    y: base.y + noiseAlong(seconds * 1.9, plan.seed + 1) * shake,
    zoom: base.zoom + 0.012 * amount * Math.min(1, seconds * 2),
  };
}

function moved(move: Move, at: number, amount: number): Camera {
  const still = { x: 0, y: 0, zoom: 1, orbit: 0 };
  switch (move) {
    case 'push in':
      return { ...still, zoom: 1 + 0.15 * amount * at };
    case 'pull out':
      return { ...still, zoom: 1 + 0.15 * amount * (1 - at) };
    case 'pan left':
      return { ...still, x: -0.07 * amount * at, zoom: 1 + 0.02 * amount * at };
    case 'pan right':
      return { ...still, x: 0.07 * amount * at, zoom: 1 + 0.02 * amount * at };
    case 'tilt up':
      return { ...still, y: -0.07 * amount * at, zoom: 1 + 0.02 * amount * at };
    case 'tilt down':
      return { ...still, y: 0.07 * amount * at, zoom: 1 + 0.02 * amount * at };
    case 'orbit left':
      return { ...still, orbit: -0.06 * amount * at, zoom: 1 + 0.05 * amount * at };
    case 'orbit right':
      return { ...still, orbit: 0.06 * amount * at, zoom: 1 + 0.05 * amount * at };
    case 'hold':
      return still;
  }
}
