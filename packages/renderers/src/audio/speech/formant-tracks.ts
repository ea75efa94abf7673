import { type Formants, PHONEMES, type Phoneme } from './phonemes.ts';
import type { Phone, SpeechPlan } from './plan-speech.ts';

type Three = readonly [Float32Array, Float32Array, Float32Array];

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly start: Formants;
  readonly end: Formants;
  readonly phoneme: Phoneme;
}

interface Border {
  readonly value: Formants;
  /** Seconds of movement before and after it. */
  readonly before: number;
  readonly after: number;
}

/**
 * How the formants move. Every sound has a target; at the border of two sounds the formants are where the stronger
 * one (a closure before a glide before a vowel) lets the weaker one pull them, and around it both lean that way.
 */
export function formantTracks(
  plan: SpeechPlan,
  { frames, frameSeconds }: { frames: number; frameSeconds: number },
): Three {
  const tracks: Three = [new Float32Array(frames), new Float32Array(frames), new Float32Array(frames)];
  const segments = segmentsOf(plan);
  const borders = segments.slice(1).map((segment, index) => {
    const before = segments[index];
    return before && segment.from - before.to < 0.02 ? borderOf(before, segment) : undefined;
  });
  for (const [index, segment] of segments.entries()) {
    const left = borders[index - 1];
    const right = borders[index];
    const first = index === 0 ? 0 : Math.round(segment.from / frameSeconds);
    const end =
      index === segments.length - 1 ? frames : Math.round((segments[index + 1]?.from ?? 0) / frameSeconds);
    for (const [which, track] of tracks.entries()) {
      for (let frame = first; frame < Math.min(end, frames); frame += 1) {
        track[frame] = valueAt(segment, { left, right, which, at: frame * frameSeconds });
      }
    }
  }
  return tracks;
}

function valueAt(
  { from, to, start, end }: Segment,
  {
    left,
    right,
    which,
    at,
  }: { left: Border | undefined; right: Border | undefined; which: number; at: number },
): number {
  const length = to - from;
  const a = start[which] ?? 0;
  const b = end[which] ?? 0;
  const part = Math.min(1, Math.max(0, ((at - from) / length - 0.25) / 0.6));
  let value = a + (b - a) * part * part * (3 - 2 * part);
  if (left) value += ((left.value[which] ?? a) - a) * lean((at - from) / Math.min(left.after, length * 0.8));
  if (right)
    value += ((right.value[which] ?? b) - b) * lean((to - at) / Math.min(right.before, length * 0.8));
  return value;
}

/** From 1 at the border to 0 where the movement ends. */
function lean(distance: number): number {
  if (distance >= 1) return 0;
  return distance <= 0 ? 1 : 0.5 + 0.5 * Math.cos(Math.PI * distance);
}

function segmentsOf({ phrases }: SpeechPlan): readonly Segment[] {
  const phones = phrases.flatMap((phrase) => phrase.phones);
  return phones.map((phone, index) => {
    const phoneme = PHONEMES[phone.name];
    const [start, end] = phoneme.kind === 'breath' ? aroundBreath(phones, index) : targetsOf(phoneme);
    return { from: phone.start, to: phone.start + phone.seconds, start, end, phoneme };
  });
}

const targetsOf = (phoneme: Phoneme): readonly [Formants, Formants] => [
  phoneme.formants,
  phoneme.kind === 'vowel' ? (phoneme.glide ?? phoneme.formants) : phoneme.formants,
];

/** An H has no place of its own: the mouth is already where the next sound begins. */
function aroundBreath(phones: readonly Phone[], index: number): readonly [Formants, Formants] {
  const next = phones[index + 1] ?? phones[index - 1];
  const target = next ? targetsOf(PHONEMES[next.name])[0] : PHONEMES.AX.formants;
  return [target, target];
}

const STRENGTH = { breath: 0, vowel: 1, glide: 2, nasal: 3, fricative: 3, stop: 3 } as const;

function borderOf(one: Segment, other: Segment): Border {
  const strength = STRENGTH[one.phoneme.kind] - STRENGTH[other.phoneme.kind];
  if (strength === 0) {
    const reach = one.phoneme.kind === 'vowel' ? 0.06 : 0.03;
    return { value: blend(one.end, other.start, [0.5, 0.5, 0.5]), before: reach, after: reach };
  }
  const [strong, weak] = strength > 0 ? [one, other] : [other, one];
  const { phoneme } = strong;
  if (phoneme.kind === 'vowel')
    return { value: strong === one ? one.end : other.start, before: 0.04, after: 0.04 };
  const edge = strong === one ? other.start : one.end;
  const outside = phoneme.reach / 1000;
  const inside = Math.min(outside, weak.to - weak.from);
  const value = blend(phoneme.formants, edge, phoneme.pull);
  return strong === one
    ? { value, before: inside, after: outside }
    : { value, before: outside, after: inside };
}

const blend = (from: Formants, to: Formants, [a, b, c]: Formants): Formants => [
  from[0] + (to[0] - from[0]) * a,
  from[1] + (to[1] - from[1]) * b,
  from[2] + (to[2] - from[2]) * c,
];
