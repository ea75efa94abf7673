import { type Rgb, rgb } from '../rgb.ts';

const COLORS: Readonly<Record<string, Rgb>> = {
  red: rgb('#d8322f'),
  crimson: rgb('#c21f3f'),
  scarlet: rgb('#e0321f'),
  ruby: rgb('#b3123f'),
  orange: rgb('#f28a1e'),
  amber: rgb('#f5a623'),
  copper: rgb('#b8693a'),
  gold: rgb('#f0b93a'),
  golden: rgb('#f0b93a'),
  yellow: rgb('#f7d038'),
  green: rgb('#3da551'),
  emerald: rgb('#1fa37a'),
  lime: rgb('#9bd62a'),
  mint: rgb('#8fe0bd'),
  teal: rgb('#1f9a9a'),
  turquoise: rgb('#2fc9c0'),
  cyan: rgb('#2fc4e8'),
  aqua: rgb('#3ad6d6'),
  blue: rgb('#2f6fe0'),
  azure: rgb('#3f8fe8'),
  sapphire: rgb('#1f47b8'),
  indigo: rgb('#4338ca'),
  purple: rgb('#8a3fd1'),
  violet: rgb('#8f4fe0'),
  lavender: rgb('#b39ae8'),
  magenta: rgb('#d93fb8'),
  pink: rgb('#f07ab0'),
  peach: rgb('#ffb48f'),
  brown: rgb('#8a5a38'),
  silver: rgb('#c0c8d2'),
  white: rgb('#f2f4f7'),
  black: rgb('#1a1c22'),
  grey: rgb('#8a909a'),
  gray: rgb('#8a909a'),
};

/** The colors that a text names, in their order. */
export function colorsIn(text: string): readonly Rgb[] {
  const plain = text.replace(
    /\b(golden (hour|light|retriever|gate)|lavender (field|fields|farm)|orange juice|white ?water|black hole|gold ?fish)\b/g,
    '',
  );
  return (plain.match(/[a-z]+/g) ?? []).flatMap((word) => {
    const color = COLORS[word];
    return color ? [color] : [];
  });
}

const WORN =
  /^(?: [a-z]+){0,3}? (?:in|wearing|with) (?:an? |the )?(?:[a-z]+ )?([a-z]+) (?:dress|coat|jacket|shirt|suit|cloak|sweater|hoodie|robe|kimono|sails?)\b/;

/** The color that is said of something: just before its word, or of what it wears. */
export function colorOf(text: string, words: RegExp): Rgb | undefined {
  const found = words.exec(text);
  if (!found) return undefined;
  const before =
    /[^,.;:]*$/
      .exec(text.slice(0, found.index))?.[0]
      .match(/[a-z]+/g)
      ?.slice(-2) ?? [];
  const worn = WORN.exec(text.slice(found.index + found[0].length))?.[1];
  return colorsIn([...before, worn ?? ''].join(' ')).at(-1);
}

const OF_THE_LIGHT =
  /\b([a-z]+)(?: and ([a-z]+))?(?: [a-z]+)? (?:sk(?:y|ies)|lights?|clouds?|sunset|sunrise|glow|horizon|fog|mist|haze|atmosphere|dusk|dawn|twilight|tones?|hues?|palette|neon|lighting|night|evening|morning)\b/g;

/** Only those that are said of the light or the air. */
export function lightColorsIn(text: string): readonly Rgb[] {
  return [...text.matchAll(OF_THE_LIGHT)].flatMap((found) => colorsIn(found[0]));
}
