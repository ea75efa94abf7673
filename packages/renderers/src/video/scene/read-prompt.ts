import { between, pick, type Random } from '../random.ts';
import { type Rgb, rgb } from '../rgb.ts';
import { COLORS, WORDS } from './scene-words.ts';

export type Time = 'dawn' | 'day' | 'golden' | 'dusk' | 'night';

export type Ground = 'sea' | 'lake' | 'snow' | 'hills' | 'clouds';

/** What a prompt asks to paint. Numbers are from 0 to 1. */
export interface Brief {
  readonly setting: 'landscape' | 'underwater' | 'abstract';
  readonly ground: Ground;
  readonly time: Time;
  has(words: keyof typeof WORDS): boolean;
  readonly clouds: number;
  readonly fog: number;
  readonly storm: number;
  readonly wind: number;
  /** All named colors, and those of the light or the air. */
  readonly colors: readonly Rgb[];
  readonly lightColors: readonly Rgb[];
  readonly mood: { readonly saturation: number; readonly contrast: number; readonly light: number };
}

const GROUNDS = ['clouds', 'sea', 'lake', 'snow', 'hills'] as const;
const TIMES = ['golden', 'dawn', 'dusk', 'night', 'day'] as const;
const NIGHT_WORDS = ['stars', 'milkyWay', 'moon', 'aurora'] as const;
const LANDSCAPE_WORDS = [
  ...GROUNDS,
  ...TIMES,
  ...NIGHT_WORDS,
  'mountains',
  'sky',
  'tropical',
  'rain',
  'storm',
  'fog',
] as const;

export function readPrompt(prompt: string, random: Random): Brief {
  const text = prompt.toLowerCase();
  const has = (name: keyof typeof WORDS): boolean => WORDS[name].test(text);
  // Drawn in any case, so that the same seed gives related pictures for related prompts.
  const chance = {
    time: pick<Time>(random, ['golden', 'day', 'dawn', 'golden', 'dusk']),
    clouds: between(random, 0.25, 0.6),
    wind: between(random, 0.15, 0.5),
  };
  const storm = has('storm') ? 1 : 0;
  const time = TIMES.find(has) ?? (NIGHT_WORDS.some(has) ? 'night' : storm > 0 ? 'day' : chance.time);
  return {
    setting: has('underwater') ? 'underwater' : LANDSCAPE_WORDS.some(has) ? 'landscape' : 'abstract',
    ground: GROUNDS.find(has) ?? (has('mountains') ? 'hills' : 'sea'),
    time: NIGHT_WORDS.some(has) && time === 'day' ? 'night' : time,
    has,
    clouds: has('clear')
      ? 0.12
      : has('overcast') || has('rain') || storm > 0
        ? 0.9
        : has('cloudy')
          ? 0.65
          : chance.clouds,
    fog: has('fog') ? 1 : has('soft') || has('dawn') ? 0.5 : 0.15,
    storm,
    wind: storm > 0 || has('windy') ? 1 : has('calm') ? 0.05 : chance.wind,
    colors: colorsIn(text),
    lightColors: lightColorsIn(text),
    mood: moodOf(has),
  };
}

function moodOf(has: Brief['has']): Brief['mood'] {
  const isDark = has('dark') || has('overcast');
  return {
    saturation: has('gray') ? 0 : has('vivid') ? 1.25 : has('soft') ? 0.8 : isDark ? 0.85 : 1.05,
    contrast: isDark || has('dramatic') ? 1.25 : has('soft') ? 1 : 1.12,
    light: isDark ? 0.72 : has('soft') ? 1.06 : 1,
  };
}

function colorsIn(text: string): readonly Rgb[] {
  const plain = text.replace(/\bgolden (hour|light)\b|\bblue hour\b/g, '');
  return (plain.match(/[a-z]+/g) ?? []).flatMap((word) => {
    const code = Object.hasOwn(COLORS, word) ? COLORS[word] : undefined;
    return code === undefined ? [] : [rgb(code)];
  });
}

const OF_THE_LIGHT =
  /\b([a-z]+)(?: and ([a-z]+))?(?: [a-z]+)? (?:sk(?:y|ies)|lights?|clouds?|sunset|sunrise|glow|horizon|fog|mist|haze|dusk|dawn|twilight|tones?|hues?|night|evening|morning)\b/g;

function lightColorsIn(text: string): readonly Rgb[] {
  return [...text.matchAll(OF_THE_LIGHT)].flatMap((found) => colorsIn(found[0]));
}
