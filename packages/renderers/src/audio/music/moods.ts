import { hash } from '../dsp/random.ts';
import type { Mode } from './harmony.ts';

export interface Mood {
  readonly name: string;
  readonly words: RegExp;
  readonly modes: readonly [Mode, ...Mode[]];
  readonly bpm: readonly [number, number];
  /** Degrees of the scale, 0 the tonic; and the one that leads home at the end. */
  readonly progressions: readonly [Progression, ...Progression[]];
  readonly home: number;
  readonly chord: 3 | 4;
  readonly lead: 'piano' | 'bell' | 'flute' | 'pluck' | 'strings' | 'synth';
  readonly keys: 'piano' | 'electric' | 'pluck' | 'synth' | 'none';
  readonly bass: 'long' | 'walking' | 'pulse';
  readonly drums: 'none' | 'brush' | 'beat' | 'great' | 'electronic';
  /** How far the pad's filter opens, in Hz. */
  readonly pad: number;
  /** Notes of the tune in a bar, about. */
  readonly density: number;
}

type Progression = readonly number[];

// biome-ignore format: a table
export const MOODS: readonly [Mood, ...Mood[]] = [
  {
    name: 'calm',
    words: /calm|peace|quiet|relax|gentle|serene|soft|nature|lake|meadow|morning|ruhig|calme|tranquil|静/u,
    modes: ['major'], bpm: [66, 80], progressions: [[0, 4, 5, 3], [0, 3, 0, 4], [0, 5, 3, 4]], home: 4,
    chord: 4, lead: 'piano', keys: 'electric', bass: 'long', drums: 'none', pad: 1300, density: 3,
  },
  {
    name: 'epic',
    words: /epic|hero|battle|war\b|army|warrior|dragon|majestic|cinematic|victory|storm|castle|knight|adventure|episch|épique|épico|史诗|战/u,
    modes: ['minor'], bpm: [84, 104], progressions: [[0, 5, 2, 6], [0, 6, 5, 6], [0, 3, 5, 4]], home: 6,
    chord: 3, lead: 'strings', keys: 'none', bass: 'pulse', drums: 'great', pad: 2600, density: 3,
  },
  {
    name: 'sad',
    words: /\bsad|lonely|alone|tears?\b|cry|melanchol|grief|farewell|lost\b|traurig|triste|einsam|悲|哀/u,
    modes: ['minor'], bpm: [60, 72], progressions: [[0, 5, 2, 6], [0, 3, 5, 4], [0, 6, 5, 4]], home: 4,
    chord: 3, lead: 'piano', keys: 'piano', bass: 'long', drums: 'none', pad: 900, density: 3,
  },
  {
    name: 'happy',
    words: /happy|joy|fun\b|smil|laugh|party|sunny|cheer|celebrat|danc|birthday|summer|fröhlich|glücklich|joyeu|feliz|alegr|快乐|嬉/u,
    modes: ['major'], bpm: [108, 124], progressions: [[0, 4, 5, 3], [0, 3, 4, 3], [0, 5, 3, 4]], home: 4,
    chord: 3, lead: 'pluck', keys: 'piano', bass: 'walking', drums: 'beat', pad: 1800, density: 5,
  },
  {
    name: 'dark',
    words: /dark|horror|scary|fear|ghost|haunt|evil|creepy|night ?mare|zombie|vampire|myster|sinister|death|düster|sombre|oscur|恐|暗/u,
    modes: ['harmonicMinor', 'minor'], bpm: [62, 76], progressions: [[0, 5, 0, 4], [0, 1, 0, 4], [0, 3, 5, 4]], home: 4,
    chord: 3, lead: 'bell', keys: 'none', bass: 'long', drums: 'great', pad: 700, density: 2,
  },
  {
    name: 'dreamy',
    words: /dream|magic|fairy|fantas|ethereal|cloud|float|underwater|space|galax|stars?\b|moon|angel|heaven|traum|rêve|sueño|梦|夢/u,
    modes: ['lydian', 'major'], bpm: [68, 84], progressions: [[0, 1, 0, 4], [0, 5, 1, 4], [0, 4, 1, 5]], home: 1,
    chord: 4, lead: 'bell', keys: 'electric', bass: 'long', drums: 'none', pad: 1700, density: 3,
  },
  {
    name: 'romantic',
    words: /love|romanc|romantic|wedding|kiss|couple|sunset|heart\b|tender|liebe|amour|amor\b|爱|愛/u,
    modes: ['major'], bpm: [72, 86], progressions: [[0, 5, 3, 4], [0, 2, 3, 4], [0, 4, 5, 2]], home: 4,
    chord: 4, lead: 'flute', keys: 'piano', bass: 'long', drums: 'brush', pad: 1200, density: 3,
  },
  {
    name: 'electronic',
    words: /cyber|neon|robot|futur|techno|electro|city|urban|computer|sci-?fi|drive|speed|racing|retro|synth|赛博|未来/u,
    modes: ['minor'], bpm: [100, 118], progressions: [[0, 5, 6, 4], [0, 2, 6, 5], [0, 5, 2, 6]], home: 6,
    chord: 3, lead: 'synth', keys: 'synth', bass: 'pulse', drums: 'electronic', pad: 2200, density: 4,
  },
  {
    name: 'playful',
    words: /playful|cute|kitten|puppy|\bcat\b|\bdog\b|child|kids|toy|cartoon|funny|baby|bunny|anime|niedlich|mignon|可爱|萌/u,
    modes: ['major'], bpm: [104, 120], progressions: [[0, 3, 0, 4], [0, 5, 1, 4], [0, 4, 0, 3]], home: 4,
    chord: 3, lead: 'pluck', keys: 'pluck', bass: 'walking', drums: 'brush', pad: 1000, density: 5,
  },
];

/** The mood most of the prompt's words speak for; the seed chooses among the mild ones when none does. */
export function chooseMood(prompt: string, seed: number): Mood {
  const words = prompt.slice(0, 4000).toLowerCase();
  const count = (mood: Mood): number => [...words.matchAll(new RegExp(mood.words, 'gu'))].length;
  const [first] = MOODS.toSorted((a, b) => count(b) - count(a));
  if (first && count(first) > 0) return first;
  const mild = MOODS.filter(({ name }) => ['calm', 'dreamy', 'romantic'].includes(name));
  return mild[hash(seed, 'mood') % mild.length] ?? MOODS[0];
}
