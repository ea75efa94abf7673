import { between, type Random } from '../dsp/random.ts';
import { PHONEMES } from './phonemes.ts';
import type { Phrase, SpeechPlan } from './plan-speech.ts';
import type { Voice } from './voices.ts';

interface Point {
  readonly at: number;
  /** Against the voice's middle. */
  readonly semitones: number;
}

/** The pitch in Hz at every frame: a line that sinks through the phrase, accents on top, and an ending that tells its kind. */
export function melodyOf(
  plan: SpeechPlan,
  voice: Voice,
  { random, frames, frameSeconds }: { random: Random; frames: number; frameSeconds: number },
): Float32Array {
  const points = plan.phrases.flatMap((phrase, index) =>
    pointsOf(phrase, { voice, random, first: index === 0 }),
  );
  const semitones = smooth(line(points, frames, frameSeconds), Math.round(0.035 / frameSeconds));
  return semitones.map((value) => Math.max(60, voice.pitchHz * 2 ** (value / 12)));
}

function pointsOf(
  { phones, ending, start, end }: Phrase,
  { voice, random, first }: { voice: Voice; random: Random; first: boolean },
): Point[] {
  const { melody } = voice;
  const share = Math.min(1, melody / 4);
  const base = (at: number) => (1.6 - 4 * ((at - start) / Math.max(0.2, end - start))) * share;
  const points: Point[] = [{ at: start, semitones: base(start) + (first ? 0.4 : 0) * share }];
  const accents = phones.filter(({ stressed }) => stressed);
  for (const [index, { start: at, seconds }] of accents.entries()) {
    const last = index === accents.length - 1;
    const weight = (index === 0 ? 1.05 : last ? 0.9 : between(random, 0.4, 0.85)) * melody;
    const peak = at + seconds * 0.45;
    points.push({ at: at - 0.05, semitones: base(at) + 0.15 * weight });
    if (last && ending === 'question') points.push({ at: peak, semitones: base(at) - 0.4 * melody });
    else points.push({ at: peak, semitones: base(peak) + weight });
    if (!last) points.push({ at: at + seconds + 0.09, semitones: base(at + seconds) + 0.2 * weight });
  }
  points.push({ at: end, semitones: endOf(ending, melody) });
  // Points that crowd would make the line jump back: keep those in order.
  return points.filter((point, index) => point.at > (points[index - 1]?.at ?? -1) + 0.01);
}

function endOf(ending: Phrase['ending'], melody: number): number {
  if (ending === 'question') return melody * 1.5;
  return ending === 'comma' ? melody * 0.25 : -melody * 1.15;
}

function line(points: readonly Point[], frames: number, frameSeconds: number): Float32Array {
  const values = new Float32Array(frames);
  let next = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * frameSeconds;
    while (next < points.length && (points[next]?.at ?? 0) <= at) next += 1;
    const from = points[Math.max(0, next - 1)];
    const to = points[Math.min(next, points.length - 1)];
    if (!from || !to) continue;
    const part = to.at > from.at ? Math.min(1, Math.max(0, (at - from.at) / (to.at - from.at))) : 0;
    values[frame] = from.semitones + (to.semitones - from.semitones) * part;
  }
  return values;
}

/** The mean of each value's neighbourhood, twice. */
export function smooth(values: Float32Array, radius: number): Float32Array {
  return meanAround(meanAround(values, radius), radius);
}

function meanAround(values: Float32Array, radius: number): Float32Array {
  const sums = new Float64Array(values.length + 1);
  for (let n = 0; n < values.length; n += 1) sums[n + 1] = (sums[n] ?? 0) + (values[n] ?? 0);
  return values.map((_, n) => {
    const from = Math.max(0, n - radius);
    const to = Math.min(values.length, n + radius + 1);
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  });
}

/** Voiceless consonants begin the next vowel a little higher, as the tense larynx does. */
export function liftAfterVoiceless(pitch: Float32Array, plan: SpeechPlan, frameSeconds: number): void {
  for (const { phones } of plan.phrases) {
    for (const [index, phone] of phones.entries()) {
      const before = phones[index - 1];
      if (!before) continue;
      const phoneme = PHONEMES[before.name];
      if (phoneme.kind === 'vowel' || phoneme.voiced || PHONEMES[phone.name].kind !== 'vowel') continue;
      const from = Math.floor(phone.start / frameSeconds);
      const count = Math.floor(0.06 / frameSeconds);
      for (let n = 0; n < count && from + n < pitch.length; n += 1) {
        pitch[from + n] = (pitch[from + n] ?? 0) * (1 + 0.04 * (1 - n / count));
      }
    }
  }
}
