/** Frequencies in Hz of the first three formants, for a grown man; a voice scales them. */
export type Formants = readonly [number, number, number];

/** Noise made at a narrow place of the mouth: two bands and how loud. */
export interface Friction {
  readonly bands: readonly [Band, Band];
  readonly level: number;
}

interface Band {
  readonly hz: number;
  readonly q: number;
  readonly gain: number;
}

interface Timed {
  /** Milliseconds in slow, stressed speech, and the least that can be understood. */
  readonly long: number;
  readonly short: number;
}

interface Vowel extends Timed {
  readonly kind: 'vowel';
  readonly formants: Formants;
  /** A diphthong ends here. */
  readonly glide?: Formants | undefined;
}

interface Consonant extends Timed {
  readonly kind: 'glide' | 'nasal' | 'fricative' | 'stop' | 'breath';
  readonly voiced: boolean;
  /** Where the formants point at this consonant. */
  readonly formants: Formants;
  /** How far the neighbouring vowel pulls each formant at the border: 0 not, 1 wholly. */
  readonly pull: Formants;
  /** Milliseconds of the movement inside the neighbour. */
  readonly reach: number;
  readonly friction?: Friction | undefined;
  /** Milliseconds from the burst to the voice. */
  readonly onset?: number | undefined;
}

export type Phoneme = Vowel | Consonant;

const vowel = (long: number, short: number, formants: Formants, glide?: Formants): Vowel => ({
  kind: 'vowel',
  long,
  short,
  formants,
  glide,
});

const VOWELS = {
  IY: vowel(155, 60, [285, 2250, 3000]),
  IH: vowel(130, 45, [410, 1930, 2580]),
  EY: vowel(185, 75, [490, 1900, 2560], [320, 2200, 2780]),
  EH: vowel(150, 65, [560, 1780, 2520]),
  AE: vowel(200, 75, [680, 1700, 2430]),
  AA: vowel(210, 90, [740, 1130, 2450]),
  AO: vowel(205, 90, [600, 870, 2480]),
  OW: vowel(200, 80, [530, 960, 2350], [370, 780, 2320]),
  UH: vowel(145, 60, [450, 1060, 2340]),
  UW: vowel(170, 65, [310, 900, 2240]),
  AH: vowel(140, 60, [630, 1200, 2530]),
  AX: vowel(90, 42, [500, 1420, 2480]),
  ER: vowel(175, 75, [480, 1320, 1660]),
  AY: vowel(225, 100, [730, 1200, 2480], [390, 2050, 2620]),
  AW: vowel(230, 100, [720, 1280, 2500], [420, 900, 2320]),
  OY: vowel(240, 110, [540, 850, 2430], [380, 2020, 2600]),
} as const satisfies Record<string, Vowel>;

const hiss = (level: number, first: Band, second: Band): Friction => ({ level, bands: [first, second] });
const band = (hz: number, q: number, gain: number): Band => ({ hz, q, gain });

const SIBILANT = hiss(0.42, band(5300, 2.2, 1), band(8200, 2, 0.8));
const HUSH = hiss(0.4, band(2700, 2.6, 1), band(4500, 2.2, 0.55));
const LIPS = hiss(0.09, band(1500, 0.6, 0.35), band(7500, 0.8, 0.9));
const TEETH = hiss(0.09, band(1900, 0.7, 0.3), band(6300, 0.9, 0.9));

type Noise = Omit<Consonant, 'kind' | 'voiced' | 'long' | 'short'>;

const consonant = (
  kind: Consonant['kind'],
  voiced: boolean,
  [long, short]: readonly [number, number],
  rest: Noise,
): Consonant => ({ kind, voiced, long, short, ...rest });

const LABIAL = { formants: [230, 850, 2150], pull: [0.25, 0.55, 0.6], reach: 45 } as const;
const ALVEOLAR = { formants: [230, 1750, 2680], pull: [0.25, 0.3, 0.3], reach: 55 } as const;
const VELAR = { formants: [230, 1700, 2250], pull: [0.25, 0.75, 0.35], reach: 65 } as const;
const PALATAL = { formants: [240, 1950, 2720], pull: [0.25, 0.25, 0.25], reach: 65 } as const;
const DENTAL = { formants: [260, 1350, 2560], pull: [0.3, 0.35, 0.35], reach: 45 } as const;

/** A band that lies at the second formant, wherever that is. */
export const FOLLOWS_TONGUE = 0;

const POP = hiss(0.3, band(900, 0.8, 1), band(2600, 1, 0.4));
const TICK = hiss(0.45, band(3900, 1.4, 1), band(6300, 1.5, 0.7));
const CLICK = hiss(0.42, band(FOLLOWS_TONGUE, 2.2, 1), band(4200, 1.4, 0.3));

const CONSONANTS = {
  W: consonant('glide', true, [80, 50], { formants: [290, 640, 2180], pull: [0.15, 0.1, 0.3], reach: 75 }),
  Y: consonant('glide', true, [75, 45], { formants: [270, 2240, 3000], pull: [0.1, 0.1, 0.1], reach: 75 }),
  R: consonant('glide', true, [80, 45], { formants: [340, 1090, 1500], pull: [0.2, 0.15, 0.1], reach: 70 }),
  L: consonant('glide', true, [80, 45], { formants: [350, 1020, 2650], pull: [0.2, 0.25, 0.3], reach: 40 }),
  M: consonant('nasal', true, [75, 50], { ...LABIAL, formants: [290, 1050, 2150], reach: 35 }),
  N: consonant('nasal', true, [70, 40], { ...ALVEOLAR, formants: [290, 1620, 2550], reach: 40 }),
  NG: consonant('nasal', true, [90, 55], { ...VELAR, formants: [290, 2050, 2500], reach: 55 }),
  F: consonant('fricative', false, [105, 65], { ...LABIAL, formants: [300, 1100, 2120], friction: LIPS }),
  V: consonant('fricative', true, [65, 40], { ...LABIAL, formants: [250, 1100, 2120], friction: LIPS }),
  TH: consonant('fricative', false, [95, 55], { ...DENTAL, friction: TEETH }),
  DH: consonant('fricative', true, [55, 30], { ...DENTAL, friction: TEETH }),
  S: consonant('fricative', false, [110, 60], {
    ...ALVEOLAR,
    formants: [300, 1600, 2600],
    friction: SIBILANT,
  }),
  Z: consonant('fricative', true, [80, 45], { ...ALVEOLAR, formants: [250, 1600, 2600], friction: SIBILANT }),
  SH: consonant('fricative', false, [115, 75], { ...PALATAL, friction: HUSH }),
  ZH: consonant('fricative', true, [80, 50], { ...PALATAL, friction: HUSH }),
  HH: consonant('breath', false, [75, 40], { formants: [500, 1500, 2500], pull: [1, 1, 1], reach: 30 }),
  P: consonant('stop', false, [90, 55], { ...LABIAL, friction: POP, onset: 45 }),
  B: consonant('stop', true, [80, 50], { ...LABIAL, friction: POP, onset: 8 }),
  T: consonant('stop', false, [80, 50], { ...ALVEOLAR, friction: TICK, onset: 55 }),
  D: consonant('stop', true, [70, 40], { ...ALVEOLAR, friction: TICK, onset: 12 }),
  K: consonant('stop', false, [90, 55], { ...VELAR, friction: CLICK, onset: 60 }),
  G: consonant('stop', true, [80, 50], { ...VELAR, friction: CLICK, onset: 18 }),
} as const satisfies Record<string, Consonant>;

type VowelName = keyof typeof VOWELS;
export type PhonemeName = VowelName | keyof typeof CONSONANTS;

export const PHONEMES: Readonly<Record<PhonemeName, Phoneme>> = { ...VOWELS, ...CONSONANTS };

export const isPhonemeName = (name: string): name is PhonemeName => Object.hasOwn(PHONEMES, name);

export const isVowelName = (name: PhonemeName): name is VowelName => Object.hasOwn(VOWELS, name);
