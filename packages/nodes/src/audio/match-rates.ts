import type { NodeContext } from '@atelier/engine';
import { type Audio, channelOf, newWaveform, type Waveform } from '../values/audio.ts';
import { resample, resampledLength } from './kernels/resample.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** Two sounds at one rate: the lower one is brought up to the higher. */
export function matchRates(
  first: Audio,
  second: Audio,
  work: Work,
): { readonly first: Waveform; readonly second: Waveform; readonly sampleRate: number } {
  const sampleRate = Math.max(first.sampleRate, second.sampleRate);
  return { first: atRate(first, sampleRate, work), second: atRate(second, sampleRate, work), sampleRate };
}

/** The waveform at another rate, or as it is when it has that rate. */
export function atRate(
  { waveform, sampleRate }: Audio,
  rate: number,
  { memory, checkpoint }: Work,
): Waveform {
  if (sampleRate === rate) return waveform;
  const { batch, channels } = waveform;
  const samples = resampledLength(waveform.samples, sampleRate, rate);
  const result = newWaveform(memory, { batch, channels, samples });
  for (let item = 0; item < batch; item += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const rates = { fromRate: sampleRate, toRate: rate };
      resample(channelOf(waveform, item, channel), channelOf(result, item, channel), rates, checkpoint);
    }
  }
  return result;
}
