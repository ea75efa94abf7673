import { smoothstep } from '../pixels/planes.ts';
import type { RelightSettings } from '../render-request.ts';

/** How much light is transferred to a tone, 0 to 1, and how much more on skin. */
interface Amount {
  readonly at: (tone: number) => number;
  readonly onSkin: number;
}

export const AMOUNTS: Readonly<Record<RelightSettings['transferLightA'], Amount>> = {
  automatic: { at: (tone) => 1.15 - 0.45 * smoothstep(0.55, 1, tone), onSkin: 0 },
  low: { at: (tone) => 0.5 - 0.18 * smoothstep(0.5, 1, tone), onSkin: 0 },
  medium: { at: (tone) => 0.62 + 0.28 * bell(tone), onSkin: 0 },
  normal: { at: () => 1, onSkin: 0 },
  high: { at: (tone) => 1.42 - 0.12 * smoothstep(0.6, 1, tone), onSkin: 0 },
  high_on_faces: { at: () => 0.75, onSkin: 0.7 },
};

/** How the transfer is spread between the shade (0) and the light (1) of the new lighting. */
interface Spread {
  /** Where between shade and light a part of the picture is put. */
  readonly place: (share: number) => number;
  /** How much of the transfer it gets. */
  readonly weight: (share: number) => number;
  readonly relief: number;
  readonly tint: number;
  /** Only light and shade over the picture, without the form of faces and things. */
  readonly isBroad: boolean;
}

const STRAIGHT: Spread = { place: (share) => share, weight: () => 1, relief: 1, tint: 1, isBroad: false };

export const SPREADS: Readonly<Record<RelightSettings['transferLightB'], Spread>> = {
  automatic: { ...STRAIGHT, place: (share) => 0.55 * share + 0.45 * smoothstep(0, 1, share) },
  composition: { ...STRAIGHT, isBroad: true, tint: 0.7 },
  straight: STRAIGHT,
  smooth_in: { ...STRAIGHT, place: (share) => share ** 1.9 },
  smooth_out: { ...STRAIGHT, place: (share) => 1 - (1 - share) ** 1.9 },
  smooth_both: { ...STRAIGHT, place: (share) => smoothstep(0.05, 0.95, share), relief: 1.1 },
  reverse_both: { ...STRAIGHT, place: (share) => 0.5 + 4 * (share - 0.5) ** 3 },
  soft_in: { ...STRAIGHT, weight: (share) => 0.35 + 0.65 * smoothstep(0, 0.7, share) },
  soft_out: { ...STRAIGHT, weight: (share) => 1 - 0.65 * smoothstep(0.3, 1, share) },
  soft_mid: { ...STRAIGHT, weight: (share) => 1.1 - 0.75 * bell(share) },
  strong_mid: { ...STRAIGHT, weight: (share) => 0.6 + 0.9 * bell(share) },
  style_shift: { ...STRAIGHT, relief: 0.65, tint: 1.6 },
  strong_shift: { ...STRAIGHT, place: (share) => smoothstep(0, 1, share), relief: 1.4, tint: 1.4 },
};

/** 1 in the middle, 0 at both ends. */
function bell(share: number): number {
  return 1 - smoothstep(0, 0.5, Math.abs(share - 0.5));
}
