import { type Color, colorFromHex, mixColors, scaleColor, tintOf } from '../../pixels/color.ts';
import { clamp } from '../../pixels/planes.ts';
import { type Backdrop, DEFAULT_PLAN, type Direction, type LightPlan, toUnit } from '../light-plan.ts';
import { type Clause, type Phrase, parsePrompt } from './parse-prompt.ts';
import type { Effect } from './vocabulary.ts';

const WARM: Color = colorFromHex('#ffb066');
const COLD: Color = colorFromHex('#8fb8ff');
const WHITE: Color = [1, 1, 1];

interface Source {
  readonly from: Direction;
  readonly color: Color | undefined;
  readonly power: number;
}

/** `undefined` when no word of the prompt is in the vocabulary. */
export function planFromPrompt(prompt: string): LightPlan | undefined {
  const clauses = parsePrompt(prompt);
  if (clauses.length === 0) return undefined;
  const phrases = clauses.flat();
  const sum = (part: (effect: Effect) => number | undefined, low: number, high: number): number =>
    clamp(total(phrases, part), low, high);
  const contrast = clamp(0.25 + 0.75 * sum((effect) => effect.contrast, -9, 9), -0.6, 1.3);
  const key = keyColor(phrases);
  return {
    lights: sourcesOf(clauses, key).map(({ from, color, power }) => ({
      from: toUnit(from),
      color: color ?? key,
      power,
    })),
    ambient: scaleColor(ambientTint(phrases, key), 0.5 * 2 ** (-1.5 * contrast)),
    exposure: sum((effect) => effect.exposure, -2.6, 1.5),
    softness: clamp(0.45 + 0.6 * sum((effect) => effect.softness, -9, 9), 0, 1),
    haze: sum((effect) => effect.haze, 0, 1),
    rays: sum((effect) => effect.rays, 0, 1.5),
    glow: sum((effect) => effect.glow, 0, 1.2),
    saturation: sum((effect) => effect.saturation, -1, 0.8),
    vignette: sum((effect) => effect.vignette, 0, 1),
    backdrop: backdropOf(phrases),
  };
}

/** The strongest phrase counts in full and each similar one less: a night with a moon is one night. */
function total(phrases: readonly Phrase[], part: (effect: Effect) => number | undefined): number {
  const values = phrases.map((phrase) => (part(phrase.effect) ?? 0) * phrase.part);
  const one = (sign: number): number =>
    values
      .filter((value) => value * sign > 0)
      .sort((first, second) => (second - first) * sign)
      .reduce((sum, value, rank) => sum + value * 0.45 ** rank, 0);
  return one(1) + one(-1);
}

/** For lights without a color of their own: the weighted colors of the prompt, then its warmth. */
function keyColor(phrases: readonly Phrase[]): Color {
  let color: Color = WHITE;
  let parts = 0;
  for (const { effect, part } of phrases) {
    if (effect.light === undefined) continue;
    parts += part;
    const [red, green, blue] = mixColors(tintOf(colorFromHex(effect.light)), WHITE, 0.08);
    // A weight on a color makes it more saturated.
    const power = 1 + (part - 1) * 0.45;
    color = mixColors(color, [red ** power, green ** power, blue ** power], part / parts);
  }
  const warmth = total(phrases, (effect) => effect.warmth);
  const [red, green, blue] = tintOf(warmth < 0 ? COLD : WARM);
  const amount = Math.min(2, Math.abs(warmth));
  return tintOf([color[0] * red ** amount, color[1] * green ** amount, color[2] * blue ** amount]);
}

function ambientTint(phrases: readonly Phrase[], key: Color): Color {
  const shades = phrases.flatMap(({ effect }) =>
    effect.shade === undefined ? [] : [tintOf(colorFromHex(effect.shade))],
  );
  const [first, ...others] = shades;
  if (first === undefined) return tintOf(mixColors(WHITE, key, 0.45));
  const shade = others.reduce((mean, next, index) => mixColors(mean, next, 1 / (index + 2)), first);
  return tintOf(mixColors(shade, WHITE, 0.45));
}

/**
 * A color belongs to the lights of its clause. A color without a direction goes to a light without a color. Two colors without any
 * direction light the two sides.
 */
function sourcesOf(clauses: readonly Clause[], key: Color): readonly Source[] {
  const stated: Source[] = [];
  const free: Color[] = [];
  for (const clause of clauses) {
    const colored = clause.filter(({ effect }) => effect.light !== undefined && effect.sky === undefined);
    const color =
      colored.length > 0 ? keyColor(clause.filter(({ effect }) => effect.sky === undefined)) : undefined;
    const directions = clause.filter(({ effect }) => effect.from !== undefined && effect.sky === undefined);
    if (directions.length === 0 && color !== undefined) free.push(color);
    stated.push(...joined(directions).map((source) => ({ ...source, color })));
  }
  if (stated.length > 1) return stated.map((source) => ({ ...source, color: source.color ?? free.shift() }));
  if (stated.length === 1) return stated;
  const usual = clauses.flat().find(({ effect }) => effect.from !== undefined)?.effect;
  const [first, second] = free;
  if (first !== undefined && second !== undefined && (usual?.from?.length ?? 2) > 1)
    return twoSides(first, second);
  const [one, other] = usual?.from ?? DEFAULT_PLAN.lights.map((light) => light.from);
  if (one === undefined) return [];
  if (other === undefined) return [{ from: one, color: undefined, power: 1 }];
  // A place with two lights uses its shade as the second color.
  return twoSides(first ?? key, usual?.shade === undefined ? key : tintOf(colorFromHex(usual.shade)));
}

function twoSides(left: Color, right: Color): readonly Source[] {
  return [
    { from: [-0.95, -0.2, 0.25], color: left, power: 1 },
    { from: [0.95, -0.2, 0.25], color: right, power: 0.9 },
  ];
}

/** Directions that agree are one light (from above, from the left); opposite ones are two. */
function joined(phrases: readonly Phrase[]): { from: Direction; power: number }[] {
  const sources: { from: Direction; power: number }[] = [];
  for (const { effect, part } of phrases) {
    for (const [x, y, z] of effect.from ?? []) {
      const near = sources.find(({ from }) => from[0] * x + from[1] * y + from[2] * z > -0.25);
      if (near === undefined || (effect.from?.length ?? 0) > 1)
        sources.push({ from: [x, y, z], power: part });
      else {
        near.from = [near.from[0] + x * part, near.from[1] + y * part, near.from[2] + z * part];
        near.power = Math.max(near.power, part);
      }
    }
  }
  return sources;
}

function backdropOf(phrases: readonly Phrase[]): Backdrop | undefined {
  const [top, middle, low] = phrases.find(({ effect }) => effect.sky !== undefined)?.effect.sky ?? [];
  if (top === undefined || middle === undefined || low === undefined) return undefined;
  return {
    sky: [colorFromHex(top), colorFromHex(middle), colorFromHex(low)],
    lamps: phrases.flatMap(({ effect }) => effect.lamps ?? []).map(colorFromHex),
    stars: Math.max(...phrases.map(({ effect }) => effect.stars ?? 0)),
  };
}
