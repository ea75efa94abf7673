import { shape, smoothStep } from '../dsp/curve.ts';
import { lowPass } from '../dsp/filter.ts';
import { hash } from '../dsp/random.ts';
import { reverb } from '../dsp/reverb.ts';
import { toSamples } from '../dsp/sample-rate.ts';
import { addMono, addStereo, createStereo, type Stereo } from '../dsp/stereo.ts';
import { type Chord, compose, type Note, type Score } from './compose.ts';
import { drumOf } from './drums.ts';
import { toHz } from './harmony.ts';
import {
  addSaws,
  bass,
  bell,
  electric,
  flute,
  type Instrument,
  piano,
  pluck,
  strings,
  synth,
} from './instruments.ts';

interface MusicRequest {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
}

const INSTRUMENTS = { piano, bell, flute, pluck, strings, synth, electric } as const;
const LEAD_GAIN = { piano: 0.3, bell: 0.24, flute: 0.2, pluck: 0.5, strings: 0.32, synth: 0.22 } as const;
const KEYS_GAIN = { piano: 0.16, electric: 0.17, pluck: 0.3, synth: 0.12, none: 0 } as const;
const DRUM_PLACES = {
  kick: 0,
  snare: 0.05,
  hat: 0.3,
  tom: -0.1,
  shaker: -0.35,
  clap: 0,
  cymbal: 0.2,
} as const;
const DRUM_GAIN = {
  kick: 0.5,
  snare: 0.26,
  hat: 0.12,
  tom: 0.55,
  shaker: 0.12,
  clap: 0.24,
  cymbal: 0.09,
} as const;

/** The piece as sound; it fades in the last half second, on its own tonic. */
export function renderMusic({ prompt, seconds, seed }: MusicRequest): Stereo {
  const score = compose({ prompt, seconds, seed });
  const { mood } = score;
  const length = toSamples(seconds);
  const dry = createStereo(length);
  const sent = createStereo(length);
  const play = (part: Part): void => {
    const line = createStereo(length);
    playNotes(line, part);
    addStereo(dry, line);
    if (part.room > 0) addStereo(sent, line, part.room);
  };
  play({ notes: score.bass, instrument: bass, gain: 0.24, pan: 0, room: 0, seed });
  play({
    notes: score.tune,
    instrument: INSTRUMENTS[mood.lead],
    gain: LEAD_GAIN[mood.lead],
    pan: 0.12,
    room: 0.5,
    seed,
  });
  if (mood.keys !== 'none') {
    play({
      notes: score.keys,
      instrument: INSTRUMENTS[mood.keys],
      gain: KEYS_GAIN[mood.keys],
      pan: -0.25,
      room: 0.35,
      seed,
    });
  }
  const pad = renderPad(score, { length, seed });
  addStereo(dry, pad, 0.05);
  addStereo(sent, pad, 0.03);
  addStereo(dry, renderDrums(score, length, seed));
  addStereo(
    dry,
    reverb(sent, {
      seconds: mood.name === 'happy' || mood.name === 'playful' ? 1.3 : 2.6,
      size: 1.25,
      dampHz: 5200,
    }),
    0.7,
  );
  const fade = Math.min(0.5, seconds * 0.2);
  for (const channel of [dry.left, dry.right])
    shape(channel, (at) => 1 - smoothStep(seconds - fade, seconds, at));
  return dry;
}

interface Part {
  readonly notes: readonly Note[];
  readonly instrument: Instrument;
  readonly gain: number;
  readonly pan: number;
  readonly room: number;
  readonly seed: number;
}

function playNotes(into: Stereo, { notes, instrument, gain, pan, seed }: Part): void {
  for (const [index, { note, at, seconds, loud }] of notes.entries()) {
    const samples = instrument({ hz: toHz(note), seconds, loud, seed: hash(seed, note, index) });
    // As at a keyboard: low notes to one side, high ones to the other.
    addMono(into, samples, { at: toSamples(at), gain: gain * loud, pan: pan + (note - 66) / 90 });
  }
}

/** Every chord as a cloud of saws behind a filter that opens and closes. Chords overlap, so that none begins hard. */
function renderPad({ chords, mood }: Score, { length, seed }: { length: number; seed: number }): Stereo {
  const pad = createStereo(length);
  for (const [index, chord] of chords.entries()) {
    for (const [side, channel] of [pad.left, pad.right].entries()) {
      const samples = padOf(chord, { mood, seed: hash(seed, 'pad', index, side), side });
      const at = toSamples(chord.at);
      const end = Math.min(samples.length, length - at);
      for (let n = 0; n < end; n += 1) channel[at + n] = (channel[at + n] ?? 0) + (samples[n] ?? 0);
    }
  }
  return pad;
}

function padOf(
  { notes, seconds }: Chord,
  { mood, seed, side }: { mood: Score['mood']; seed: number; side: number },
): Float32Array {
  const tail = 0.5;
  const samples = new Float32Array(toSamples(seconds + tail));
  for (const note of notes)
    addSaws(samples, { hz: toHz(note), cents: side === 0 ? [-8, 4] : [-4, 8], seed: hash(seed, note) });
  const attack = Math.min(0.6, seconds * 0.4);
  lowPass(
    samples,
    (at) => mood.pad * (0.45 + 0.55 * Math.sin((Math.PI * Math.min(at, seconds)) / seconds)),
    0.9,
  );
  return shape(
    samples,
    (at) => smoothStep(0, attack, at) * (1 - smoothStep(seconds, seconds + tail - 0.01, at)),
  );
}

function renderDrums({ drums }: Score, length: number, seed: number): Stereo {
  const kit = createStereo(length);
  const strokes = new Map(drums.map(({ drum }) => [drum, drumOf(drum, hash(seed, drum))]));
  for (const { drum, at, loud } of drums) {
    const stroke = strokes.get(drum);
    if (stroke)
      addMono(kit, stroke, { at: toSamples(at), gain: DRUM_GAIN[drum] * loud, pan: DRUM_PLACES[drum] });
  }
  return kit;
}
