import type { SkinSettings } from '../render-request.ts';

const NOTHING = {
  /** Texture of the skin that the picture has. */
  texture: 0,
  /** Fine texture added where the skin has none. */
  micro: 0,
  /** Removed from the skin: uneven brightness, uneven color, single spots. */
  blotches: 0,
  redness: 0,
  healing: 0,
  /** Lifts the dark side of a face, reduces gloss. */
  evenLight: 0,
  gloss: 0,
  makeUp: 0,
  /** Of the whole picture. */
  shadows: 0,
  glow: 0,
  contrast: 0,
  detail: 0,
  vibrance: 0,
  sharpen: 0,
  grain: 0,
};

/** The strength of each step. 0: off; most go to about 1. */
export type Recipe = Readonly<typeof NOTHING>;

const CREATIVE: Partial<Recipe> = {
  texture: 0.5,
  micro: 0.6,
  blotches: 0.8,
  redness: 0.8,
  healing: 1,
  evenLight: 0.3,
  gloss: 0.3,
  shadows: 0.25,
  glow: 0.5,
  contrast: 0.4,
  vibrance: 0.35,
};

const FLEXIBLE: Readonly<Record<NonNullable<SkinSettings['optimizedFor']>, Partial<Recipe>>> = {
  enhance_skin: { texture: 0.9, micro: 0.8, blotches: 0.65, redness: 0.7, healing: 0.95, gloss: 0.25 },
  improve_lighting: { evenLight: 0.9, shadows: 0.8, gloss: 0.5, blotches: 0.2, redness: 0.2 },
  enhance_everything: { texture: 0.6, blotches: 0.4, healing: 0.6, shadows: 0.3, detail: 1, vibrance: 0.6 },
  transform_to_real: { texture: 1.3, micro: 1.6, gloss: 1, grain: 0.25 },
  no_make_up: { makeUp: 1, texture: 0.4, micro: 0.5, gloss: 0.3 },
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
        texture: detail,
        micro: detail,
        blotches: 0.5 * detail,
        redness: 0.5 * detail,
        healing: 0.8 * detail,
      };
    }
  }
}
