import { defineNode, float, int, link, output, valueError } from '@atelier/engine';
import { roundHalfEven } from '../values/arithmetic.ts';
import { channelOf, fillWaveform, newWaveform, sliceWaveform } from '../values/audio.ts';
import { applyBiquad, highShelf, lowShelf, peak } from './kernels/biquad.ts';

const MAX_SECONDS = 2n ** 64n - 1n;
/** Twelve hours of mono at 48 kHz. Anything longer is a mistake. */
const MAX_SAMPLES = 2 ** 31;
// oxlint-disable-next-line oxc/approx-constant -- the filters are defined with this number
const SHELF_Q = 0.707;
const SAMPLES_PER_CHECK = 1 << 20;

export const emptyAudio = defineNode({
  type: 'EmptyAudio',
  title: 'Empty Audio',
  category: 'audio',
  description: 'Makes silence.',
  searchAliases: ['blank audio'],
  inputs: {
    duration: float({
      default: 60,
      min: 0,
      max: MAX_SECONDS,
      step: 0.01,
      tooltip: 'How many seconds of silence.',
    }),
    sample_rate: int({
      default: 44100,
      min: 1,
      max: 192000,
      advanced: true,
      tooltip: 'Samples per second.',
    }),
    channels: int({ default: 2, min: 1, max: 2, advanced: true, tooltip: '1 is mono, 2 is stereo.' }),
  },
  outputs: [output('AUDIO')],
  run({ duration, sample_rate: sampleRate, channels }, { memory }) {
    const samples = roundHalfEven(duration * sampleRate);
    if (!(samples * channels <= MAX_SAMPLES)) {
      throw valueError(`${duration} seconds at ${sampleRate} Hz are too long for one sound.`);
    }
    return [
      { waveform: { batch: 1, channels, samples, data: memory.floats(channels * samples) }, sampleRate },
    ];
  },
});

export const trimAudioDuration = defineNode({
  type: 'TrimAudioDuration',
  title: 'Trim Audio Duration',
  category: 'audio',
  description: 'Takes a part out of a sound.',
  searchAliases: ['cut audio', 'audio clip', 'shorten audio'],
  inputs: {
    audio: link('AUDIO'),
    start_index: float({
      default: 0,
      min: -MAX_SECONDS,
      max: MAX_SECONDS,
      step: 0.01,
      tooltip: 'Where the part starts, in seconds; a negative number counts from the end.',
    }),
    duration: float({ default: 60, min: 0, step: 0.01, tooltip: 'How long the part is, in seconds.' }),
  },
  outputs: [output('AUDIO')],
  run({ audio, start_index, duration }, { memory }) {
    if (!audio || audio.waveform.samples === 0) return [audio];
    const { waveform, sampleRate } = audio;
    const { samples } = waveform;
    const from = roundHalfEven(start_index * sampleRate);
    const start = Math.max(0, Math.min(start_index < 0 ? samples + from : from, samples));
    const end = Math.max(0, Math.min(start + roundHalfEven(duration * sampleRate), samples));
    if (!(start < end)) {
      throw valueError(
        `Nothing is left: the sound lasts ${samples / sampleRate} s, and ${duration} s from ${start_index} s on were asked for.`,
      );
    }
    return [{ waveform: sliceWaveform(memory, waveform, start, end), sampleRate }];
  },
});

export const audioAdjustVolume = defineNode({
  type: 'AudioAdjustVolume',
  title: 'Adjust Audio Volume',
  category: 'audio',
  description: 'Makes a sound louder or softer by so many decibels.',
  searchAliases: ['audio gain', 'loudness', 'audio level'],
  inputs: {
    audio: link('AUDIO'),
    volume: int({
      default: 1,
      min: -100,
      max: 100,
      tooltip: 'Decibels: 0 leaves it as it is, 6 doubles it, -6 halves it. Nothing is clipped.',
    }),
  },
  outputs: [output('AUDIO')],
  run({ audio, volume }, { memory, checkpoint }) {
    if (!audio || volume === 0) return [audio];
    const { waveform, sampleRate } = audio;
    const gain = Math.fround(10 ** (volume / 20));
    const louder = newWaveform(memory, waveform);
    const { data } = waveform;
    for (let n = 0; n < data.length; n += 1) {
      if (n % SAMPLES_PER_CHECK === 0) checkpoint();
      louder.data[n] = (data[n] as number) * gain;
    }
    return [{ waveform: louder, sampleRate }];
  },
});

export const audioEqualizer3Band = defineNode({
  type: 'AudioEqualizer3Band',
  title: 'Audio Equalizer (3-Band)',
  category: 'audio',
  description: 'Raises or lowers bass, middle and treble.',
  searchAliases: ['eq', 'bass boost', 'treble boost', 'equalizer'],
  experimental: true,
  inputs: {
    audio: link('AUDIO'),
    low_gain_dB: float({ default: 0, min: -24, max: 24, step: 0.1, tooltip: 'Decibels for the bass.' }),
    low_freq: int({ default: 100, min: 20, max: 500, tooltip: 'Below this frequency is bass.' }),
    mid_gain_dB: float({ default: 0, min: -24, max: 24, step: 0.1, tooltip: 'Decibels for the middle.' }),
    mid_freq: int({ default: 1000, min: 200, max: 4000, tooltip: 'The frequency in the middle.' }),
    mid_q: float({
      default: SHELF_Q,
      min: 0.1,
      max: 10,
      step: 0.1,
      tooltip: 'The higher, the narrower the middle.',
    }),
    high_gain_dB: float({ default: 0, min: -24, max: 24, step: 0.1, tooltip: 'Decibels for the treble.' }),
    high_freq: int({ default: 5000, min: 1000, max: 15000, tooltip: 'Above this frequency is treble.' }),
  },
  outputs: [output('AUDIO')],
  run(inputs, { memory, checkpoint }) {
    const { audio } = inputs;
    if (!audio || audio.waveform.samples === 0) return [audio];
    const { waveform, sampleRate } = audio;
    const settings = [
      { filter: lowShelf, gainDb: inputs.low_gain_dB, frequency: inputs.low_freq, q: SHELF_Q },
      { filter: peak, gainDb: inputs.mid_gain_dB, frequency: inputs.mid_freq, q: inputs.mid_q },
      { filter: highShelf, gainDb: inputs.high_gain_dB, frequency: inputs.high_freq, q: SHELF_Q },
    ];
    const bands = settings
      .filter(({ gainDb }) => gainDb !== 0)
      .map(({ filter, ...band }) => filter({ sampleRate, ...band }));
    if (bands.length === 0) return [audio];
    const result = fillWaveform(memory, waveform, (target, item, channel) => {
      let source = channelOf(waveform, item, channel);
      for (const band of bands) {
        applyBiquad(source, target, band, checkpoint);
        source = target;
      }
    });
    return [{ waveform: result, sampleRate }];
  },
});
