import { lerp } from '../pixels/planes.ts';
import { isHandheldIn, type Move, movesIn, paceIn } from './camera-words.ts';
import { noiseAlong } from './noise.ts';
import { between, pick, type Random } from './random.ts';

/** Turning moves all depths alike, travelling moves near things farther. Distances are parts of the frame's width and height. */
export type Camera = Readonly<typeof AT_REST>;

export interface CameraPlan {
  readonly moves: readonly Move[];
  /** 1: a clearly visible move. */
  readonly amount: number;
  /** In parts of the frame; 0 for a steady camera. */
  readonly shake: number;
  readonly seed: number;
  /** Where it heads, from -1 at the left edge to 1 at the right one. */
  readonly heading: number;
}

export type Movement = 'auto' | 'small' | 'medium' | 'large';

const AMOUNTS: Readonly<Record<Movement, number>> = { auto: 1, small: 0.5, medium: 1, large: 1.6 };

/** Choices for a prompt that names no move. */
const UNNAMED = [
  'push in',
  'push in',
  'orbit left',
  'orbit right',
  'pull out',
  'pan left',
  'pan right',
] as const;

export function planCamera(
  prompt: string,
  { movement, random }: { readonly movement: Movement; readonly random: Random },
): CameraPlan {
  const text = prompt.toLowerCase();
  const named = movesIn(text);
  // Drawn in any case, so that a camera word changes only the camera.
  const chosen = pick(random, UNNAMED);
  const seed = Math.floor(random() * 2 ** 31);
  const varied = movement === 'auto' ? between(random, 0.85, 1.15) : 1;
  const amount = AMOUNTS[movement] * varied * paceIn(text);
  const isHandheld = isHandheldIn(text);
  return {
    moves: named.length > 0 ? named : [isHandheld ? 'hold' : chosen],
    amount,
    shake: isHandheld ? 0.014 + 0.012 * amount : 0,
    seed,
    heading: between(random, -0.3, 0.3),
  };
}

export const AT_REST = {
  turnX: 0,
  turnY: 0,
  travelX: 0,
  travelY: 0,
  /** Enlarges everything alike; 1 or more. */
  lens: 1,
  /** Enlarges near things more than far ones; 0 or more. */
  forward: 0,
  /** Turn around what it looks at: near things go one way, far ones the other. */
  orbit: 0,
  /** The depth that it turns around, 0 to 1. */
  pivot: 0.38,
};

/** What each move adds until its end. Moves out run backwards. */
const MOVES: Readonly<Record<Move, Partial<Camera>>> = {
  'push in': { forward: 0.6 },
  'pull out': { forward: 0.6 },
  'zoom in': { lens: 0.45 },
  'zoom out': { lens: 0.45 },
  'pan left': { turnX: -0.18, travelX: -0.24 },
  'pan right': { turnX: 0.18, travelX: 0.24 },
  'track left': { turnX: -0.02, travelX: -0.48 },
  'track right': { turnX: 0.02, travelX: 0.48 },
  'tilt up': { turnY: -0.25, travelY: -0.06 },
  'tilt down': { turnY: 0.25, travelY: 0.06 },
  'crane up': { turnY: -0.06, travelY: -0.28, forward: 0.08 },
  'crane down': { turnY: 0.06, travelY: 0.28, forward: 0.08 },
  'orbit left': { orbit: -0.62, forward: 0.1 },
  'orbit right': { orbit: 0.62, forward: 0.1 },
  hold: {},
};

/** `progress` goes from 0 to 1 over the video. At 0 the camera is at rest, except for moves that begin closer. */
export function cameraAt(plan: CameraPlan, progress: number, seconds: number): Camera {
  const at = ease(progress);
  const camera = plan.moves.reduce((before, move) => moved(before, move, at, plan.amount), AT_REST);
  if (plan.shake === 0) return camera;
  // Grows from rest, so that the first frame is the start frame. A slow sway of the arms plus the beat of steps.
  const shake = Math.min(1, seconds * 2) * plan.shake;
  const along = (pace: number, line: number): number => noiseAlong(seconds * pace, plan.seed + line);
  return {
    ...camera,
    turnX: camera.turnX + (0.75 * along(0.9, 0) + 0.25 * along(3.1, 1)) * shake,
    turnY: camera.turnY + (0.65 * along(1.1, 2) + 0.35 * along(3.7, 3)) * shake,
    // Closer by as much as it sways.
    lens: camera.lens + 2 * shake,
  };
}

/** Starts and ends at rest, without the long standstill of a cubic. */
function ease(at: number): number {
  return lerp(at, at * at * (3 - 2 * at), 0.85);
}

function moved(before: Camera, move: Move, at: number, amount: number): Camera {
  const by = (move.endsWith(' out') ? 1 - at : at) * amount;
  const added = Object.entries(MOVES[move]) as [keyof Camera, number][];
  return { ...before, ...Object.fromEntries(added.map(([name, full]) => [name, before[name] + full * by])) };
}
