import { bell, cloud, noise, step } from './portrait-noise.ts';

export interface HairPoint {
  readonly cover: number;
  /** How bright its strand is, around 1. */
  readonly shade: number;
  readonly shine: number;
}

const NO_HAIR: HairPoint = { cover: 0, shade: 0, shine: 0 };

const PARTING = 0.14;
/** Above this height strands go around the head, below it they fall. */
const TURN = -0.12;

/**
 * Where between the face (0) and the outline of the hair (1) a point lies; strands are lines of the same share, so
 * they leave the parting sideways, go around the face and fall.
 */
function hairShare(x: number, y: number): number {
  if (y < TURN) {
    const length = Math.hypot(x, y - TURN);
    const across = x / length;
    const up = (y - TURN) / length;
    const inner = 1 / Math.hypot(across / 0.635, up / 0.75);
    const outer = 1 / Math.hypot(across / 1.0, up / 1.28);
    return (length - inner) / (outer - inner);
  }
  const inner = 0.635 - 0.04 * step(0.1, 0.7, y) + 0.06 * step(0.7, 1.5, y);
  const outer = 1.0 + 0.1 * step(0, 1.5, y) - 0.04 * bell(0, y - 0.5, 1, 0.3);
  return (Math.abs(x) - inner) / (outer - inner);
}

/** Hair parted at one side that falls beside the face to the shoulders. */
export function hairAt(x: number, y: number, seed: number): HairPoint {
  const straight = hairShare(x, y);
  if (straight < -0.26 || straight > 1.6) return NO_HAIR;
  const side = x < PARTING ? -1 : 1;
  const bend =
    0.06 * Math.sin(y * 4.4 + side) * step(-0.4, 0.8, y) + 0.05 * cloud(x * 1.2, y * 1.2, seed + 99, 2);
  const share = straight + bend;
  const along = y < TURN ? Math.atan2(x, TURN - y) * 0.8 * side : 1.257 + y - TURN;
  const clump = noise(share * 7 + side * 40, along * 1.2, seed + 101);
  const strand = noise(share * 38 + clump * 2 + side * 90, along * 2, seed + 103);
  const fine = noise(share * 110 + clump * 3 + side * 70, along * 4, seed + 105);
  const low = step(0.6, 1.7, y);
  const apart = y < TURN ? step(0, 0.3, Math.abs(x - PARTING)) : 1;
  const ragged = apart * (0.12 * (strand - 0.5) + (0.1 + 0.2 * low) * (clump - 0.5));
  const solid = step(1.04, 0.96, share + ragged) * step(-0.05, 0.09, share + 0.7 * ragged);
  const end = 1.66 + 0.34 * (strand - 0.5) + 0.3 * (clump - 0.5);
  const cover = Math.max(solid, apart * strayHair(share, y, side, seed)) * step(end, end - 0.16, y);
  if (cover === 0) return NO_HAIR;
  const part = y < -0.8 ? Math.exp(-Math.abs(x - PARTING) / 0.035) : 0;
  // Hair is round: it turns away at its outline, and lies in shadow next to the face.
  const depth = 0.35 + 0.65 * step(-0.1, 0.35, share) * step(1.25, 0.7, share);
  const below = 1 - 0.4 * step(0.5, 0.05, share) * step(-0.5, 0.2, y);
  const shade = depth * below * (0.1 + 0.5 * clump + 0.55 * strand + 0.4 * fine) * (1 - 0.6 * part);
  return { cover, shade: Math.max(0.06, shade), shine: depth * shineAt(x, y, share, strand, fine) };
}

function strayHair(share: number, y: number, side: number, seed: number): number {
  if (share < 0.95 || share > 1.32) return 0;
  const bent = share + 0.12 * cloud(y * 1.2, side * 7, seed + 109, 2);
  const line = noise(bent * 46, y * 0.6 + 20 * side, seed + 111);
  return 0.45 * step(0.82, 0.93, line) * step(1.3, 1.02, share);
}

function shineAt(x: number, y: number, share: number, strand: number, fine: number): number {
  const gloss = Math.max(0, 0.55 * strand + 0.65 * fine - 0.34) * 1.6;
  const crown =
    bell(x + 0.42, y + 0.98 - 0.1 * strand, 0.3, 0.17) +
    0.5 * bell(x - 0.55, y + 0.9 - 0.1 * strand, 0.22, 0.15);
  const fall =
    0.5 * bell(x + 0.88 + 0.1 * share, y - 0.2 + 0.15 * strand, 0.14, 0.42) +
    0.22 * bell(x - 0.9, y - 0.3, 0.13, 0.4);
  return gloss * (crown + fall);
}
