import type { SkinPurpose, SkinSettings } from '../render-request.ts';

/** How strong each step is. 0 leaves it out; most go to about 1. */
export interface Recipe {
  /** Texture of the skin: of pores, and of what is somewhat larger. */
  readonly pores: number;
  readonly texture: number;
  /** Texture made where the picture has none. */
  readonly micro: number;
  /** Taken out of the skin: uneven brightness, uneven color, single spots. */
  readonly blotches: number;
  readonly redness: number;
  readonly healing: number;
  /** Brings the sides of a face together in brightness; tames its gloss. */
  readonly evenLight: number;
  readonly gloss: number;
  /** Color of skin that is more than skin has. */
  readonly calmColor: number;
  /** Uneven color as living skin has it. */
  readonly mottle: number;
  readonly makeUp: number;
  /** Of the whole picture. */
  readonly shadows: number;
  readonly glow: number;
  readonly contrast: number;
  readonly detail: number;
  readonly vibrance: number;
  readonly sharpen: number;
  readonly grain: number;
}

const NOTHING: Recipe = {
  pores: 0,
  texture: 0,
  micro: 0,
  blotches: 0,
  redness: 0,
  healing: 0,
  evenLight: 0,
  gloss: 0,
  calmColor: 0,
  mottle: 0,
  makeUp: 0,
  shadows: 0,
  glow: 0,
  contrast: 0,
  detail: 0,
  vibrance: 0,
  sharpen: 0,
  grain: 0,
};

const CREATIVE: Partial<Recipe> = {
  pores: 0.75,
  texture: 0.35,
  micro: 0.9,
  blotches: 0.8,
  redness: 0.9,
  healing: 1,
  evenLight: 0.3,
  gloss: 0.3,
  shadows: 0.15,
  glow: 0.7,
  contrast: 0.6,
  vibrance: 0.3,
};

const FLEXIBLE: Readonly<Record<SkinPurpose, Partial<Recipe>>> = {
  enhance_skin: {
    pores: 1,
    texture: 0.5,
    micro: 1,
    blotches: 0.65,
    redness: 0.7,
    healing: 0.95,
    gloss: 0.25,
  },
  improve_lighting: {
    evenLight: 0.9,
    shadows: 0.75,
    gloss: 0.5,
    pores: 0.3,
    micro: 0.3,
    blotches: 0.25,
    redness: 0.25,
    healing: 0.3,
  },
  enhance_everything: {
    pores: 0.75,
    texture: 0.4,
    micro: 0.7,
    blotches: 0.5,
    redness: 0.5,
    healing: 0.8,
    shadows: 0.25,
    contrast: 0.25,
    detail: 1,
    vibrance: 0.6,
  },
  transform_to_real: {
    pores: 1.1,
    texture: 0.5,
    micro: 1.4,
    gloss: 1,
    calmColor: 0.85,
    mottle: 1,
    healing: 0.3,
    grain: 0.06,
  },
  no_make_up: { makeUp: 1, pores: 0.5, texture: 0.25, micro: 0.8, mottle: 0.35, gloss: 0.3 },
};

const USUAL_SKIN_DETAIL = 80;

export function recipeOf(settings: SkinSettings): Recipe {
  const steps = { ...NOTHING, ...stepsOf(settings) };
  return {
    ...steps,
    sharpen: settings.sharpen / 100,
    grain: Math.min(1, steps.grain + settings.smartGrain / 100),
  };
}

function stepsOf({
  mode,
  skinDetail = USUAL_SKIN_DETAIL,
  optimizedFor = 'enhance_skin',
}: SkinSettings): Partial<Recipe> {
  switch (mode) {
    case 'creative':
      return CREATIVE;
    case 'flexible':
      return FLEXIBLE[optimizedFor];
    case 'faithful': {
      const detail = skinDetail / 100;
      return {
        pores: 0.95 * detail,
        texture: 0.4 * detail,
        micro: detail,
        blotches: 0.5 * detail,
        redness: 0.5 * detail,
        healing: 0.8 * detail,
      };
    }
  }
}
