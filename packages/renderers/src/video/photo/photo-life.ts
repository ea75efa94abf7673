import type { ParticleKind } from '../particles/particles.ts';

/** What moves in a picture besides the camera. Numbers are 0 and up; 1 is clearly seen. */
export interface Life {
  /** Things in the wind. */
  readonly sway: number;
  /** Water in the lower part. */
  readonly ripple: number;
  /** The sky. */
  readonly clouds: number;
  /** Firelight. */
  readonly flicker: number;
  readonly particles: readonly ParticleKind[];
}

const PARTICLES: readonly (readonly [RegExp, ParticleKind])[] = [
  [/\b(snow(s|ing|fall|flakes?|y)?|blizzard)\b/, 'snow'],
  [/\b(rain(s|ing|y|fall)?|drizzle|downpour|storm)\b/, 'rain'],
  [/\b(embers?|sparks|campfire|bonfire|fire|flames?|burning)\b/, 'embers'],
  [/\bfirefl(y|ies)\b/, 'fireflies'],
  [/\b(petals?|cherry blossoms?|sakura|blossoms?)\b/, 'petals'],
  [/\b(falling leaves|autumn leaves|leaves|autumn)\b/, 'leaves'],
  [/\b(bubbles?|underwater)\b/, 'bubbles'],
  [/\b(sparkl(e|es|ing)|glitter(s|ing)?|magic(al)?|fairy|stardust)\b/, 'sparkles'],
];

export function findLife(prompt: string): Life {
  const text = prompt.toLowerCase();
  const has = (words: RegExp): boolean => words.test(text);
  const named = PARTICLES.flatMap(([words, kind]) => (has(words) ? [kind] : [])).slice(0, 2);
  return {
    sway: has(
      /\b(wind(y|s)?|breeze|blow(s|ing)?|sway(s|ing)?|flutter(s|ing)?|wav(es|ing) (her|his|its)? ?hair|storm)\b/,
    )
      ? 2.4
      : has(/\b(hair|grass|leaves|trees?|forest|flowers?|field|dress|cloth|flag|fur)\b/)
        ? 1.5
        : 0.45,
    ripple: has(/\b(water|sea|ocean|lake|river|waves?|pond|pool|beach|underwater|rippl(e|es|ing))\b/) ? 1 : 0,
    clouds: has(/\b(clouds?|sky|wind(y)?|storm|time-?lapse)\b/) ? 2 : 1,
    flicker: has(
      /\b(candle(s|light)?|fire(place|light)?|campfire|bonfire|torch(es)?|lantern|flames?|flicker(s|ing)?)\b/,
    )
      ? 1
      : 0,
    particles: named.length > 0 ? named : ['dust'],
  };
}
