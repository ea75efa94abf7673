import { between, type Random } from '../dsp/random.ts';
import type { Mood } from './moods.ts';

export interface Hit {
  readonly drum: 'kick' | 'snare' | 'hat' | 'tom' | 'shaker' | 'clap' | 'cymbal';
  readonly at: number;
  readonly loud: number;
}

type Pattern = Partial<Record<Hit['drum'], string>>;

// A bar of sixteen: a digit is how loud, a dot nothing.
const PATTERNS: Readonly<Record<Exclude<Mood['drums'], 'none'>, Pattern>> = {
  brush: { shaker: '3.2.4.2.3.2.4.2.', kick: '5.......4.......' },
  beat: { kick: '9.....5.8.......', snare: '....8.......8..2', hat: '6.4.6.4.6.4.6.43' },
  great: { tom: '9.....5.7.5...6.', cymbal: '' },
  electronic: { kick: '9...9...9...9...', clap: '....8.......8...', hat: '..6...6...6...64' },
};

/** The rhythm up to the last chord, which one stroke announces. */
export function composeDrums({
  mood,
  beats,
  beatSeconds,
  random,
}: {
  mood: Mood;
  beats: number;
  beatSeconds: number;
  random: Random;
}): readonly Hit[] {
  if (mood.drums === 'none') return [];
  const hits: Hit[] = [];
  const sixteenth = beatSeconds / 4;
  for (const drum of ['kick', 'snare', 'hat', 'tom', 'shaker', 'clap'] as const) {
    const pattern = PATTERNS[mood.drums][drum] ?? '';
    for (let n = 0; n < beats * 4 && pattern.length > 0; n += 1) {
      const loud = Number(pattern.charAt(n % pattern.length)) / 9;
      if (loud > 0) hits.push({ drum, at: n * sixteenth, loud: loud * between(random, 0.85, 1.05) });
    }
  }
  const last = beats * beatSeconds;
  if (mood.drums === 'great') {
    for (let n = 1; n <= Math.min(8, beats * 4); n += 1)
      hits.push({ drum: 'tom', at: last - n * sixteenth, loud: 0.8 - n * 0.08 });
    hits.push({ drum: 'cymbal', at: 0, loud: 0.5 }, { drum: 'tom', at: last, loud: 1 });
  }
  if (mood.drums !== 'brush') hits.push({ drum: 'cymbal', at: last, loud: 0.7 });
  return [...hits, { drum: 'kick', at: last, loud: 0.8 }];
}
