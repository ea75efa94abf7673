import type { Rgb } from '../rgb.ts';

export type Time = 'dawn' | 'day' | 'golden' | 'dusk' | 'night';

export type Setting = 'landscape' | 'underwater' | 'space' | 'fire' | 'abstract';

export type Ground = 'sea' | 'lake' | 'meadow' | 'dunes' | 'snow' | 'hills' | 'clouds' | 'street';

export type Feature =
  | 'mountains'
  | 'forest'
  | 'city'
  | 'flowers'
  | 'beach'
  | 'stars'
  | 'milky way'
  | 'moon'
  | 'aurora'
  | 'rainbow'
  | 'lightning'
  | 'fireworks'
  | 'neon'
  | 'autumn'
  | 'blossom'
  | 'tropical'
  | 'volcano'
  | 'canyon'
  | 'planet'
  | 'rings'
  | 'galaxy'
  | 'nebula'
  | 'fish'
  | 'jellyfish'
  | 'reef'
  | 'lava'
  | 'road';

export type Falling = 'rain' | 'snow' | 'petals' | 'leaves' | 'fireflies' | 'embers' | 'dust' | 'sparkles';

export type Subject =
  | 'sailboat'
  | 'lighthouse'
  | 'balloons'
  | 'birds'
  | 'person'
  | 'woman'
  | 'astronaut'
  | 'couple'
  | 'cat'
  | 'dog'
  | 'fox'
  | 'wolf'
  | 'deer'
  | 'horse'
  | 'cow'
  | 'sheep'
  | 'bear'
  | 'camel'
  | 'elephant'
  | 'cabin'
  | 'castle'
  | 'pagoda'
  | 'torii'
  | 'windmill'
  | 'pyramids'
  | 'cactus'
  | 'whale'
  | 'rocket'
  | 'airplane'
  | 'dragon'
  | 'train'
  | 'car';

/** What a prompt asks to be seen. */
export interface Brief {
  readonly setting: Setting;
  readonly ground: Ground;
  readonly time: Time;
  readonly features: ReadonlySet<Feature>;
  readonly falling: readonly Falling[];
  readonly subjects: readonly Subject[];
  /** The colors that are said of them. */
  readonly subjectColors: ReadonlyMap<Subject, Rgb>;
  /** Of those who can walk: 0 stand, 1 walk, 2 run. */
  readonly pace: 0 | 1 | 2;
  /** Those of which the prompt speaks in the plural. */
  readonly many: ReadonlySet<Subject>;
  /** How much of the sky is covered, 0 to 1. */
  readonly clouds: number;
  readonly fog: number;
  readonly storm: number;
  /** 0 to 1. */
  readonly wind: number;
  /** Colors that are named, in their order. */
  readonly colors: readonly Rgb[];
  /** Those of them that are said of the light. */
  readonly lightColors: readonly Rgb[];
  readonly mood: Mood;
}

export interface Mood {
  readonly saturation: number;
  readonly contrast: number;
  /** Below 1 is darker. */
  readonly light: number;
}
