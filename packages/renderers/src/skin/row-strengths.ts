import type { Recipe } from './recipe.ts';

/**
 * The numbers at the end of `Row` in skin-kernels.c, in their order. `noise` is the mean difference of a pixel from its
 * surroundings in a plain part of the picture.
 */
export function rowStrengths(recipe: Recipe, noise: number): readonly number[] {
  return [
    ...response(1.25 * recipe.pores, 0.35 * noise, 13),
    ...response(0.85 * recipe.texture, 0.05, 8),
    ...response(0.75 * recipe.detail, 1.4 * noise, 16),
    ...response(0.5 * recipe.detail, noise, 14),
    2.4 * recipe.sharpen,
    // Nine values of mere noise are apart by about seven times its mean.
    1.5 + 7 * noise,
    10 + 12 * noise,
    recipe.contrast * 290,
    17 * recipe.grain ** 0.85,
    0.55 * recipe.vibrance,
  ];
}

/** Below `noise` little is added, and above `limit` too: that is an edge already, and more of it would be a halo. */
function response(gain: number, noise: number, limit: number): readonly number[] {
  return [gain, noise * noise, 1 / (limit * limit)];
}
