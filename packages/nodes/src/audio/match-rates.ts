import type { NodeContext } from '@atelier/engine';
import { type Audio, channelOf, fillWaveform, type Waveform } from '../values/audio.ts';
import { resample, resampledLength } from './kernels/resample.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** Brings two sounds to the higher of their rates. */
export function matchRates(
  first: Audio,
  second: Audio,
  work: Work,
): { readonly first: Waveform; readonly second: Waveform; readonly sampleRate: number } {
  const sampleRate = Math.max(first.sampleRate, second.sampleRate);
  return { first: atRate(first, sampleRate, work), second: atRate(second, sampleRate, work), sampleRate };
}

export function atRate(
  { waveform, sampleRate }: Audio,
  rate: number,
  { memory, checkpoint }: Work,
): Waveform {
  if (sampleRate === rate) return waveform;
  const samples = resampledLength(waveform.samples, sampleRate, rate);
  const rates = { fromRate: sampleRate, toRate: rate };
  return fillWaveform(memory, { ...waveform, samples }, (target, item, channel) =>
    resample(channelOf(waveform, item, channel), target, rates, checkpoint),
  );
}
