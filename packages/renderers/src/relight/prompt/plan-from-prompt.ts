import { type Color, colorFromHex, luminance, mixColors, scaleColor, tintOf } from '../../pixels/color.ts';
import { type Backdrop, DEFAULT_PLAN, type Light, type LightPlan } from '../light/light-plan.ts';
import type { BackdropWish, Direction, Effect } from './effect.ts';
import { type Clause, type Phrase, parsePrompt } from './parse-prompt.ts';

const WARM: Color = colorFromHex('#ffb066');
const COLD: Color = colorFromHex('#8fb8ff');
const WHITE: Color = [1, 1, 1];

interface Source {
  readonly from: Direction;
  readonly color: Color | undefined;
  readonly power: number;
}

/** What the words of a prompt ask for, or nothing where it has none of the vocabulary. */
export function planFromPrompt(prompt: string): LightPlan | undefined {
  const clauses = parsePrompt(prompt);
  if (clauses.length === 0) return undefined;
  const phrases = clauses.flat();
  const sum = (part: (effect: Effect) => number | undefined): number => total(phrases, part);
  const contrast = clamp(0.25 + sum((effect) => effect.contrast) * 0.75, -0.6, 1.3);
  const rim = Math.max(
    0,
    sum((effect) => effect.rim),
  );
  const key = keyColor(phrases);
  const sources = sourcesOf(clauses, key);
  return {
    lights: sources.map((source, index) =>
      toLight(source, key, index === 0 || source.from[2] < 0 ? rim : rim * 0.5),
    ),
    ambient: scaleColor(ambientTint(phrases, key), 0.5 * 2 ** (-1.5 * contrast)),
    exposure: clamp(
      sum((effect) => effect.exposure),
      -2.6,
      1.5,
    ),
    softness: clamp(0.45 + sum((effect) => effect.softness) * 0.6, 0, 1),
    haze: clamp(
      sum((effect) => effect.haze),
      0,
      1,
    ),
    rays: clamp(
      sum((effect) => effect.rays),
      0,
      1.5,
    ),
    glow: clamp(
      sum((effect) => effect.glow),
      0,
      1.2,
    ),
    saturation: clamp(
      sum((effect) => effect.saturation),
      -1,
      0.8,
    ),
    vignette: clamp(
      sum((effect) => effect.vignette),
      0,
      1,
    ),
    backdrop: backdropOf(phrases, key),
  };
}

/** The strongest phrase counts in full, those that say the same less and less: a night with a moon is not two nights. */
function total(phrases: readonly Phrase[], part: (effect: Effect) => number | undefined): number {
  const values = phrases.map((phrase) => (part(phrase.effect) ?? 0) * phrase.part);
  const one = (sign: number): number =>
    values
      .filter((value) => value * sign > 0)
      .sort((first, second) => (second - first) * sign)
      .reduce((sum, value, rank) => sum + value * 0.45 ** rank, 0);
  return one(1) + one(-1);
}

function toLight({ from, color, power }: Source, key: Color, rim: number): Light {
  const length = Math.hypot(...from);
  const [x, y, z] = from;
  return {
    from: [x / length, y / length, z / length],
    color: color ?? key,
    power,
    rim: z < 0 ? Math.max(rim, 0.6) : rim,
  };
}

/** The color of all light that has none of its own: the colors of the prompt by their parts, then its warmth. */
function keyColor(phrases: readonly Phrase[]): Color {
  let color: Color = WHITE;
  let parts = 0;
  for (const { effect, part } of phrases) {
    if (effect.color === undefined) continue;
    parts += part;
    color = mixColors(color, mixColors(tintOf(colorFromHex(effect.color)), WHITE, 0.08), part / parts);
    if (parts === part) color = strengthened(color, part);
  }
  return tintOf(
    warmed(
      color,
      total(phrases, (effect) => effect.warmth),
    ),
  );
}

/** A weight on a color makes it more of that color. */
function strengthened(tint: Color, part: number): Color {
  const power = 1 + (part - 1) * 0.45;
  return [tint[0] ** power, tint[1] ** power, tint[2] ** power];
}

function warmed(color: Color, warmth: number): Color {
  const [red, green, blue] = tintOf(warmth < 0 ? COLD : WARM);
  const amount = Math.min(2, Math.abs(warmth));
  return [color[0] * red ** amount, color[1] * green ** amount, color[2] * blue ** amount];
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
 * Colors belong to the lights of their clause. A color without a direction goes to a light without a color; two of
 * them without any direction light the two sides.
 */
function sourcesOf(clauses: readonly Clause[], key: Color): Source[] {
  const sources: Source[] = [];
  const free: Color[] = [];
  const usual = usualDirections(clauses.flat());
  for (const clause of clauses) {
    const color = clauseColor(clause);
    const stated = clause.filter(({ effect }) => effect.from !== undefined && effect.backdrop === undefined);
    if (stated.length === 0 && color !== undefined) free.push(color);
    sources.push(
      ...joined(stated).map((source) => ({ ...source, color: stated.length > 0 ? color : undefined })),
    );
  }
  const [first, second] = free;
  if (sources.length > 0) {
    return sources.map((source) =>
      source.color === undefined && sources.length > 1 ? { ...source, color: free.shift() } : source,
    );
  }
  if (first !== undefined && second !== undefined && usual === undefined) {
    return [
      { from: [-0.95, -0.2, 0.25], color: first, power: 1 },
      { from: [0.95, -0.2, 0.25], color: second, power: 0.9 },
    ];
  }
  const from = usual ?? DEFAULT_PLAN.lights.map((light) => light.from);
  const sides = from.length > 1 ? [first ?? key, second ?? sideColor(clauses.flat()) ?? key] : [];
  return from.map((direction, index) => ({ from: direction, color: sides[index], power: 1 }));
}

/** Where light comes from at that time of day, or else in that place. */
function usualDirections(phrases: readonly Phrase[]): readonly Direction[] | undefined {
  const settings = phrases.filter(({ effect }) => effect.from !== undefined && effect.backdrop !== undefined);
  const time = settings.find(({ effect }) => effect.backdrop?.form === 'sky');
  return (time ?? settings[0])?.effect.from;
}

/** A place with two lights has its second color in its shade. */
function sideColor(phrases: readonly Phrase[]): Color | undefined {
  const shade = phrases.find(({ effect }) => (effect.from?.length ?? 0) > 1)?.effect.shade;
  return shade === undefined ? undefined : tintOf(colorFromHex(shade));
}

/** Directions that agree are one light (from above, from the left); opposite ones are two. */
function joined(phrases: readonly Phrase[]): Source[] {
  const sources: { from: Direction; color: undefined; power: number }[] = [];
  for (const { effect, part } of phrases) {
    for (const [x, y, z] of effect.from ?? []) {
      const near = sources.find(({ from }) => from[0] * x + from[1] * y + from[2] * z > -0.25);
      if (near === undefined || (effect.from?.length ?? 0) > 1)
        sources.push({ from: [x, y, z], color: undefined, power: part });
      else {
        near.from = [near.from[0] + x * part, near.from[1] + y * part, near.from[2] + z * part];
        near.power = Math.max(near.power, part);
      }
    }
  }
  return sources;
}

function clauseColor(clause: Clause): Color | undefined {
  const own = clause.filter(({ effect }) => effect.color !== undefined && effect.backdrop?.sky === undefined);
  if (own.length === 0) return undefined;
  return keyColor(clause.filter(({ effect }) => effect.backdrop === undefined || effect.color === undefined));
}

/** The form comes from a place, the sky from a time of day where both are named. */
function backdropOf(phrases: readonly Phrase[], key: Color): Backdrop | undefined {
  const wishes = phrases.flatMap(({ effect }) => (effect.backdrop === undefined ? [] : [effect.backdrop]));
  const last =
    wishes.findLast((wish) => wish.form !== undefined && wish.form !== 'sky') ??
    wishes.findLast((wish) => wish.form === 'sky') ??
    wishes.at(-1);
  if (last === undefined) return undefined;
  const sky = wishes.find((wish) => wish.form === 'sky') ?? last;
  const [top, middle, low] = (sky.sky ?? ['#808080', '#909090', '#a0a0a0']).map(colorFromHex);
  const most = (part: (wish: BackdropWish) => number | undefined): number =>
    Math.max(0, ...wishes.map((wish) => part(wish) ?? 0));
  const level = sky === last ? 1 : levelOf(sky) / Math.max(0.02, levelOf(last));
  return {
    form: last.form ?? 'sky',
    top: top ?? key,
    middle: middle ?? key,
    low: low ?? key,
    ground: scaleColor(colorFromHex(last.ground ?? sky.ground ?? '#606060'), clamp(level, 0.08, 1.4)),
    clouds: most((wish) => wish.clouds),
    stars: most((wish) => wish.stars),
    disc: most((wish) => wish.disc),
    lamps: wishes.flatMap((wish) => wish.lamps ?? []).map(colorFromHex),
  };
}

function levelOf(wish: BackdropWish): number {
  return luminance(...colorFromHex(wish.sky?.[1] ?? '#808080'));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
