import type { TransferLightA, TransferLightB } from '../../render-request.ts';
import { smoothstep } from '../field.ts';

/** How much light is transferred to a tone of the picture, 0 to 1, on a face and elsewhere. */
export interface Amount {
  readonly at: (tone: number) => number;
  /** Added on skin. */
  readonly onFaces: number;
}

export const AMOUNTS: Readonly<Record<TransferLightA, Amount>> = {
  automatic: { at: (tone) => 1.05 - 0.35 * smoothstep(0.55, 1, tone), onFaces: 0 },
  low: { at: (tone) => 0.5 - 0.18 * smoothstep(0.5, 1, tone), onFaces: 0 },
  medium: { at: (tone) => 0.62 + 0.28 * bell(tone), onFaces: 0 },
  normal: { at: () => 1, onFaces: 0 },
  high: { at: (tone) => 1.42 - 0.12 * smoothstep(0.6, 1, tone), onFaces: 0 },
  high_on_faces: { at: () => 0.8, onFaces: 0.85 },
};

/** How the transfer is spread between the shade (0) and the light (1) of the new lighting. */
export interface Spread {
  /** Where on the way from shade to light a part of the picture is put. */
  readonly place: (share: number) => number;
  /** How much of the transfer it gets. */
  readonly weight: (share: number) => number;
  readonly relief: number;
  readonly tint: number;
  /** Only where light and shade lie in the picture, without the form of things. */
  readonly broad: boolean;
}

const STRAIGHT: Spread = { place: (share) => share, weight: () => 1, relief: 1, tint: 1, broad: false };

export const SPREADS: Readonly<Record<TransferLightB, Spread>> = {
  automatic: { ...STRAIGHT, place: (share) => 0.55 * share + 0.45 * smoothstep(0, 1, share) },
  composition: { ...STRAIGHT, broad: true, tint: 0.75 },
  straight: STRAIGHT,
  smooth_in: { ...STRAIGHT, place: (share) => share ** 1.9 },
  smooth_out: { ...STRAIGHT, place: (share) => 1 - (1 - share) ** 1.9 },
  smooth_both: { ...STRAIGHT, place: (share) => smoothstep(0.05, 0.95, share) },
  reverse_both: {
    ...STRAIGHT,
    place: (share) => 0.5 + Math.sign(share - 0.5) * 0.5 * (1 - (1 - Math.abs(2 * share - 1)) ** 2) * 0.9,
  },
  soft_in: { ...STRAIGHT, weight: (share) => 0.35 + 0.65 * smoothstep(0, 0.7, share) },
  soft_out: { ...STRAIGHT, weight: (share) => 1 - 0.65 * smoothstep(0.3, 1, share) },
  soft_mid: { ...STRAIGHT, weight: (share) => 1.1 - 0.75 * bell(share) },
  strong_mid: { ...STRAIGHT, weight: (share) => 0.55 + 0.95 * bell(share) },
  style_shift: { ...STRAIGHT, relief: 0.65, tint: 1.7 },
  strong_shift: { ...STRAIGHT, place: (share) => smoothstep(0, 1, share), relief: 1.4, tint: 1.5 },
};

/** 1 in the middle, 0 at both ends. */
function bell(share: number): number {
  return 1 - smoothstep(0, 0.5, Math.abs(share - 0.5));
}
