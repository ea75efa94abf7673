import type { RelightStyle } from '../../render-request.ts';
import { type Look, PLAIN_LOOK } from './look.ts';

export const STYLES: Readonly<Record<RelightStyle, Look>> = {
  standard: PLAIN_LOOK,
  darker_but_realistic: {
    ...PLAIN_LOOK,
    exposure: -0.7,
    relief: 1.15,
    saturation: 0.94,
    contrast: 0.12,
    unlit: 0.5,
  },
  clean: {
    ...PLAIN_LOOK,
    exposure: 0.25,
    relief: 0.72,
    tint: 0.55,
    softness: 0.25,
    saturation: 0.97,
    detail: 0.15,
    levels: 0.6,
    unlit: 0.6,
  },
  smooth: { ...PLAIN_LOOK, softness: 0.45, relief: 0.85, detail: -0.4, contrast: -0.12, glow: 0.22 },
  brighter: { ...PLAIN_LOOK, exposure: 0.65, relief: 0.9, compression: 0.15, lift: 3 },
  contrasted_n_hdr: {
    ...PLAIN_LOOK,
    relief: 1.2,
    compression: 0.5,
    contrast: 0.3,
    saturation: 1.2,
    detail: 0.65,
    levels: 0.5,
  },
  just_composition: { ...PLAIN_LOOK, tint: 0, relief: 0.85, unlit: 0.2 },
};
