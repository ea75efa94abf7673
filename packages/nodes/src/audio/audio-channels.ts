import { combo, defineNode, link, NodeError, output, valueError } from '@atelier/engine';
import { type Audio, channelOf, fillWaveform, type Waveform } from '../values/audio.ts';
import { matchRates } from './match-rates.ts';

export const splitAudioChannels = defineNode({
  type: 'SplitAudioChannels',
  title: 'Split Audio Channels',
  category: 'audio',
  description: 'Takes a stereo sound apart into its left and its right channel.',
  searchAliases: ['stereo to mono'],
  inputs: { audio: link('AUDIO') },
  outputs: [output('AUDIO', { name: 'left' }), output('AUDIO', { name: 'right' })],
  run({ audio }, { memory }) {
    if (!audio) return [null, null];
    const { waveform, sampleRate } = audio;
    if (waveform.channels !== 2) {
      throw valueError(`Only stereo can be split, and this has ${countOf(waveform.channels)}.`);
    }
    const one = (channel: number): Audio => {
      const mono = fillWaveform(memory, { ...waveform, channels: 1 }, (target, item) =>
        target.set(channelOf(waveform, item, channel)),
      );
      return { waveform: mono, sampleRate };
    };
    return [one(0), one(1)];
  },
});

export const joinAudioChannels = defineNode({
  type: 'JoinAudioChannels',
  title: 'Join Audio Channels',
  category: 'audio',
  description: 'Puts two mono sounds together as the left and the right channel of a stereo one.',
  inputs: { audio_left: link('AUDIO'), audio_right: link('AUDIO') },
  outputs: [output('AUDIO', { name: 'audio' })],
  run({ audio_left: left, audio_right: right }, context) {
    if (!left || !right) return [left ?? right];
    if (left.waveform.channels !== 1 || right.waveform.channels !== 1) {
      throw valueError('Both sounds must be mono to become the channels of one.');
    }
    const { first, second, sampleRate } = matchRates(left, right, context);
    const batch = sameBatch(first, second);
    const samples = Math.min(first.samples, second.samples);
    const shape = { batch, channels: 2, samples };
    const waveform = fillWaveform(context.memory, shape, (target, item, channel) =>
      target.set(channelOf(channel === 0 ? first : second, item, 0).subarray(0, samples)),
    );
    return [{ waveform, sampleRate }];
  },
});

export const audioConcat = defineNode({
  type: 'AudioConcat',
  title: 'Concatenate Audio',
  category: 'audio',
  description: 'Plays one sound after the other.',
  searchAliases: ['join audio', 'combine audio', 'append audio'],
  inputs: {
    audio1: link('AUDIO'),
    audio2: link('AUDIO'),
    direction: combo(['after', 'before'], {
      default: 'after',
      tooltip: 'Whether audio2 comes after audio1 or before it.',
    }),
  },
  outputs: [output('AUDIO')],
  run({ audio1, audio2, direction }, context) {
    if (!audio1 || !audio2) return [audio1 ?? audio2];
    const { first, second, sampleRate } = matchRates(audio1, audio2, context);
    const [head, tail] = direction === 'after' ? [first, second] : [second, first];
    const batch = sameBatch(head, tail);
    const channels = atLeastStereo(head);
    if (atLeastStereo(tail) !== channels) {
      throw new NodeError(
        'RuntimeError',
        `A sound with ${countOf(first.channels)} cannot be joined to one with ${countOf(second.channels)}.`,
      );
    }
    const shape = { batch, channels, samples: head.samples + tail.samples };
    const waveform = fillWaveform(context.memory, shape, (target, item, channel) => {
      target.set(channelOf(head, item, head.channels === 1 ? 0 : channel));
      target.set(channelOf(tail, item, tail.channels === 1 ? 0 : channel), head.samples);
    });
    return [{ waveform, sampleRate }];
  },
});

export const audioMerge = defineNode({
  type: 'AudioMerge',
  title: 'Merge Audio',
  category: 'audio',
  description: 'Plays two sounds at the same time.',
  searchAliases: ['mix audio', 'overlay audio', 'layer audio'],
  inputs: {
    audio1: link('AUDIO'),
    audio2: link('AUDIO'),
    merge_method: combo(['add', 'mean', 'subtract', 'multiply'], {
      tooltip: 'What becomes of the two waves.',
    }),
  },
  outputs: [output('AUDIO')],
  run({ audio1, audio2, merge_method }, context) {
    if (!audio1 || !audio2) return [audio1 ?? audio2];
    const { first, second, sampleRate } = matchRates(audio1, audio2, context);
    if (first.samples === 0 || second.samples === 0) return [{ waveform: first, sampleRate }];
    const batch = broadcast('batch', first.batch, second.batch);
    const channels = broadcast('channels', first.channels, second.channels);
    const shape = { batch, channels, samples: first.samples };
    const join = JOINS[merge_method];
    const waveform = fillWaveform(context.memory, shape, (target, item, channel) => {
      context.checkpoint();
      const a = channelOf(first, first.batch === 1 ? 0 : item, first.channels === 1 ? 0 : channel);
      const b = channelOf(second, second.batch === 1 ? 0 : item, second.channels === 1 ? 0 : channel);
      for (let n = 0; n < target.length; n += 1) target[n] = join(a[n] as number, b[n] ?? 0);
    });
    scaleToPeak(waveform.data);
    return [{ waveform, sampleRate }];
  },
});

/** The result is rounded by its array. The second sound is silent after its end. */
const JOINS = {
  add: (a: number, b: number) => a + b,
  mean: (a: number, b: number) => Math.fround(a + b) / 2,
  subtract: (a: number, b: number) => a - b,
  multiply: (a: number, b: number) => a * b,
};

/** Divides by the loudest sample if it exceeds 1. */
function scaleToPeak(data: Float32Array): void {
  let loudest = 0;
  for (let n = 0; n < data.length; n += 1) {
    const size = Math.abs(data[n] as number);
    if (size > loudest) loudest = size;
    // With NaN in it, there is no loudest sample.
    else if (size !== size) return;
  }
  if (loudest <= 1) return;
  for (let n = 0; n < data.length; n += 1) data[n] = (data[n] as number) / loudest;
}

/** A mono sound plays on both sides, even if the other one is mono too. */
function atLeastStereo({ channels }: Waveform): number {
  return channels === 1 ? 2 : channels;
}

function sameBatch(first: Waveform, second: Waveform): number {
  if (first.batch === second.batch) return first.batch;
  throw new NodeError(
    'RuntimeError',
    `Both inputs must hold as many sounds: one has ${first.batch}, the other ${second.batch}.`,
  );
}

function broadcast(what: string, first: number, second: number): number {
  if (first === second || second === 1) return first;
  if (first === 1) return second;
  throw new NodeError('RuntimeError', `The sounds do not fit: ${what} ${first} and ${second}.`);
}

function countOf(channels: number): string {
  return `${channels} ${channels === 1 ? 'channel' : 'channels'}`;
}
