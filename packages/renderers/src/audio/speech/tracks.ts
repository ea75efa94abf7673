import { createRandom } from '../dsp/random.ts';
import { SAMPLE_RATE } from '../dsp/sample-rate.ts';
import { formantTracks } from './formant-tracks.ts';
import { liftAfterVoiceless, melodyOf, smooth } from './melody.ts';
import { FOLLOWS_TONGUE, type Friction, PHONEMES, type Phoneme } from './phonemes.ts';
import type { Phone, SpeechPlan } from './plan-speech.ts';
import type { Voice } from './voices.ts';

const FRAME_SECONDS = 0.002;
export const FRAME_SAMPLES = Math.round(FRAME_SECONDS * SAMPLE_RATE);

/** Everything the synthesiser is told, one number a frame. */
export interface Tracks {
  readonly frames: number;
  readonly pitch: Float32Array;
  /** Hz, for a grown man. */
  readonly formants: readonly [Float32Array, Float32Array, Float32Array];
  readonly voicing: Float32Array;
  /** Noise at the glottis: it passes through the whole vocal tract. */
  readonly breath: Float32Array;
  /** Noise at a narrow place in the mouth, and its two bands. */
  readonly friction: Float32Array;
  readonly bands: readonly [BandTrack, BandTrack];
  readonly nasal: Float32Array;
  /** 1 where the mouth is closed and only a hum comes through. */
  readonly closed: Float32Array;
}

interface BandTrack {
  readonly hz: Float32Array;
  readonly q: Float32Array;
  readonly gain: Float32Array;
}

const BURST_SECONDS = 0.014;

export function tracksOf(plan: SpeechPlan, voice: Voice, seed: number): Tracks {
  // A little room after the last sound for its breath to go.
  const frames = Math.ceil((plan.seconds + 0.08) / FRAME_SECONDS);
  const track = () => new Float32Array(frames);
  const phones = plan.phrases.flatMap((phrase) => phrase.phones);
  const formants = formantTracks(plan, { frames, frameSeconds: FRAME_SECONDS });
  const drawn: Drawn = {
    formants,
    voicing: track(),
    breath: track(),
    hiss: track(),
    burst: track(),
    nasal: track(),
    closed: track(),
    bands: [bandTrack(frames), bandTrack(frames)],
  };
  for (const index of phones.keys()) drawPhone(drawn, phones, index);
  const pitch = melodyOf(plan, voice, { random: createRandom(seed), frames, frameSeconds: FRAME_SECONDS });
  if (voice.melody > 0) liftAfterVoiceless(pitch, plan, FRAME_SECONDS);
  const friction = smooth(drawn.hiss, 3).map((value, n) => value + (drawn.burst[n] ?? 0));
  return {
    frames,
    pitch,
    formants,
    voicing: smooth(drawn.voicing, 3),
    breath: smooth(drawn.breath, 3),
    friction,
    bands: drawn.bands,
    nasal: smooth(drawn.nasal, 9),
    closed: smooth(drawn.closed, 2),
  };
}

interface Drawn extends Pick<Tracks, 'formants' | 'bands' | 'nasal' | 'closed' | 'voicing' | 'breath'> {
  readonly hiss: Float32Array;
  readonly burst: Float32Array;
}

const bandTrack = (frames: number): BandTrack => ({
  hz: new Float32Array(frames).fill(4000),
  q: new Float32Array(frames).fill(1),
  gain: new Float32Array(frames),
});

function drawPhone(drawn: Drawn, phones: readonly Phone[], index: number): void {
  const phone = phones[index];
  const phoneme = phonemeOf(phone);
  if (!phone || !phoneme) return;
  const { start, seconds } = phone;
  const end = start + seconds;
  switch (phoneme.kind) {
    case 'vowel':
    case 'glide': {
      const voiceAt = start + onsetBefore(phones, index);
      fill(drawn.breath, start, voiceAt, 0.6);
      return fill(drawn.voicing, voiceAt, end, phoneme.kind === 'glide' ? 0.75 : phone.stressed ? 1 : 0.78);
    }
    case 'breath':
      return fill(drawn.breath, start, end, 0.75);
    case 'nasal':
      fill(drawn.nasal, start, end, 1);
      return fill(drawn.voicing, start, end, 0.72);
    case 'fricative':
      if (phoneme.voiced) fill(drawn.voicing, start, end, 0.42);
      if (!phoneme.friction) return;
      fill(drawn.hiss, start, end, phoneme.friction.level * (phoneme.voiced ? 0.5 : 1));
      return setBands(drawn, { friction: phoneme.friction, from: start - 0.008, to: end + 0.008 });
    case 'stop':
      return drawStop(drawn, phone, phones[index + 1]);
  }
}

/** Seconds of breath between a voiceless stop and the voice of the sound at `index`. */
function onsetBefore(phones: readonly Phone[], index: number): number {
  const phone = phones[index];
  const stop = phones[index - 1];
  const phoneme = phonemeOf(stop);
  if (!phone || !stop || phoneme?.kind !== 'stop' || isApart(stop, phone)) return 0;
  if (phones[index - 2]?.name === 'S' && !stop.opens) return 0.012;
  const onset = (phoneme.onset ?? 0) / 1000;
  const weak = !phoneme.voiced && !phone.stressed && !stop.opens;
  return Math.min(weak ? onset / 2 : onset, phone.seconds * 0.5);
}

/** Closure and burst. */
function drawStop(drawn: Drawn, phone: Phone, after: Phone | undefined): void {
  const phoneme = phonemeOf(phone);
  if (phoneme?.kind !== 'stop' || !phoneme.friction) return;
  const end = phone.start + phone.seconds;
  const release = end - BURST_SECONDS;
  fill(drawn.closed, phone.start, release, 1);
  if (phoneme.voiced) fill(drawn.voicing, phone.start, release, 0.35);
  const isLast = !after || isApart(phone, after);
  // A stop before another one is not heard to open.
  if (!isLast && phonemeOf(after)?.kind === 'stop') return;
  setBands(drawn, { friction: phoneme.friction, from: release, to: end + 0.02 });
  const level = phoneme.friction.level * (phoneme.voiced ? 0.55 : 1) * (isLast ? 0.5 : 1);
  decay(drawn.burst, { from: release, to: end + 0.016, level });
  if (isLast && !phoneme.voiced) decay(drawn.breath, { from: end, to: end + 0.05, level: 0.35 });
}

const isApart = (phone: Phone, next: Phone): boolean => next.start > phone.start + phone.seconds + 0.02;

const phonemeOf = (phone: Phone | undefined): Phoneme | undefined => phone && PHONEMES[phone.name];

const frameAt = (seconds: number): number => Math.max(0, Math.round(seconds / FRAME_SECONDS));

function fill(track: Float32Array, from: number, to: number, value: number): void {
  track.fill(value, frameAt(from), frameAt(to));
}

function decay(track: Float32Array, { from, to, level }: { from: number; to: number; level: number }): void {
  const first = frameAt(from);
  const count = frameAt(to) - first;
  for (let n = 0; n < count && first + n < track.length; n += 1)
    track[first + n] = level * Math.exp((-4 * n) / count);
}

function setBands(
  { bands, formants }: Drawn,
  { friction, from, to }: { friction: Friction; from: number; to: number },
): void {
  const first = frameAt(from);
  const end = Math.min(frameAt(to), formants[1].length);
  for (const [index, track] of bands.entries()) {
    const band = friction.bands[index];
    if (!band) continue;
    for (let n = first; n < end; n += 1) {
      track.hz[n] = band.hz === FOLLOWS_TONGUE ? (formants[1][n] ?? 1800) : band.hz;
      track.q[n] = band.q;
      track.gain[n] = band.gain;
    }
  }
}
