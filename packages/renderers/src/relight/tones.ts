import { scaleColor, srgbFromLinear } from '../pixels/color.ts';
import { clamp, luminanceOf, type Planes, quantile, smoothstep } from '../pixels/planes.ts';
import type { RelightSettings } from '../render-request.ts';
import type { Look } from './looks.ts';

export type Tones = ReturnType<typeof tonesFor>;

export const CURVE_STEPS = 4096;
/** The square root of the brightest light in the tables. */
export const CURVE_REACH = 2;

const FADED_DETAIL = -0.6;
const MIDDLE_GRAY = 0.18;

interface Finish {
  readonly settings: RelightSettings;
  readonly look: Look;
  readonly saturation: number;
  /** How strongly the look is applied, 0 to 1. */
  readonly strength: number;
}

/** How light is turned into the values of the finished picture. */
export function tonesFor(preview: Planes, { settings, look, saturation, strength }: Finish) {
  const light = luminanceOf(preview);
  const white = clamp(quantile(light, 0.995), 1, CURVE_REACH ** 2);
  const range = levelsOf(light, white, look.levels * strength);
  const toValue = (value: number): number => {
    let tone = clamp(
      (srgbFromLinear(shoulder(value, strength)) - range.black) / (range.white - range.black),
      0,
      1,
    );
    tone = contrasted(tone, look.contrast * strength);
    tone += ((look.lift * strength) / 255) * (1 - tone) ** 2;
    return 255 * adjusted(tone, settings);
  };
  return {
    /** Values from 0 to 255, indexed by the square root of light, which is 2 at the last entry. */
    curve: Float32Array.from({ length: CURVE_STEPS + 1 }, (_, n) =>
      toValue(((n / CURVE_STEPS) * CURVE_REACH) ** 2),
    ),
    /** Factors that bring bright light into range, indexed by the square root of an area's brightness. */
    compression: compressionTable(white, look.compression * strength),
    saturation: Math.max(
      0,
      (1 + (look.saturation * (1 + saturation) - 1) * strength) * (settings.saturation / 50),
    ),
    /** Added to the values of dark and of bright pixels. */
    shadows: scaleColor(look.shadows, strength),
    highlights: scaleColor(look.highlights, strength),
    detail: strength * clamp(look.detail + (settings.preserveDetails ? 0 : FADED_DETAIL), -0.92, 1.2),
    grain: look.grain * strength,
    /** Details keep their contrast regardless of the area around them. */
    keepsDetails: settings.preserveDetails,
  };
}

/** Channels brighter than white lose their last stops slowly. */
function shoulder(light: number, strength: number): number {
  const knee = 0.86;
  if (light <= knee) return light;
  const soft = knee + (1 - knee) * (1 - Math.exp(-(light - knee) / (1 - knee) / 1.25));
  return Math.min(1, light + (soft - light) * strength);
}

/** Brings areas brighter than white below it, and narrows the range of all areas. */
function compressionTable(white: number, compression: number): Float32Array {
  const knee = 0.5;
  const power = 1 - 0.42 * compression;
  return Float32Array.from({ length: CURVE_STEPS + 1 }, (_, n) => {
    const light = Math.max(1e-5, ((n / CURVE_STEPS) * CURVE_REACH) ** 2);
    const drawn = MIDDLE_GRAY * (Math.max(0.004, light) / MIDDLE_GRAY) ** power * Math.min(1, light / 0.004);
    if (white <= 1.001 || drawn <= knee) return drawn / light;
    // Meets the straight part at the knee with its slope, and ends at white.
    const over = (drawn - knee) / (white - knee);
    const slope = (white - knee) / (1 - knee);
    const bent = (slope * over) / (1 + (slope - 1) * over);
    return (knee + (1 - knee) * Math.min(1.15, bent)) / light;
  });
}

function levelsOf(light: Float32Array, white: number, amount: number): { black: number; white: number } {
  const dark = srgbFromLinear(quantile(light, 0.01));
  const bright = srgbFromLinear(Math.min(1, quantile(light, 0.992) / white));
  return { black: amount * clamp(dark, 0, 0.12), white: 1 - amount * clamp(1 - bright, 0, 0.22) };
}

function contrasted(tone: number, amount: number): number {
  if (amount >= 0) return tone + amount * 1.1 * (smoothstep(0, 1, tone) - tone);
  return tone + amount * 0.55 * (tone - 0.5) * (1 - (2 * tone - 1) ** 4 * 0.5);
}

/** The settings of the picture's tones; 50 is neutral. */
function adjusted(tone: number, { whites, blacks, brightness, contrast }: RelightSettings): number {
  let value = clamp(tone, 0, 1) ** (2 ** (-0.9 * fromNeutral(brightness)));
  const steeper = fromNeutral(contrast);
  value =
    steeper >= 0
      ? value + steeper * 1.1 * (smoothstep(0.02, 0.98, value) - value)
      : 0.5 + (value - 0.5) * (1 + 0.6 * steeper);
  value += fromNeutral(whites) * 0.22 * value ** 2.5;
  value += fromNeutral(blacks) * 0.16 * (1 - value) ** 3;
  return clamp(value, 0, 1);
}

function fromNeutral(setting: number): number {
  return (setting - 50) / 50;
}
