import type { Memory } from '@atelier/engine';

export interface WaveformShape {
  readonly batch: number;
  readonly channels: number;
  readonly samples: number;
}

/** float32 `[batch, channels, samples]`, nominally −1 to 1. */
export interface Waveform extends WaveformShape {
  readonly data: Float32Array<ArrayBuffer>;
}

/** AUDIO: a batch of sounds of one length. A video without sound gives `null` where an AUDIO is expected. */
export interface Audio {
  readonly waveform: Waveform;
  readonly sampleRate: number;
}

declare module '@atelier/engine' {
  interface SocketTypes {
    AUDIO: Audio | null;
  }
}

/** A waveform. The caller must write every sample. */
export function newWaveform(memory: Memory, { batch, channels, samples }: WaveformShape): Waveform {
  return { batch, channels, samples, data: memory.dirtyFloats(batch * channels * samples) };
}

/** The samples of one channel, without a copy. */
export function channelOf(
  { channels, samples, data }: Waveform,
  item: number,
  channel: number,
): Float32Array<ArrayBuffer> {
  const start = (item * channels + channel) * samples;
  return data.subarray(start, start + samples);
}

/** A waveform that `fill` writes channel by channel. */
export function fillWaveform(
  memory: Memory,
  shape: WaveformShape,
  fill: (target: Float32Array<ArrayBuffer>, item: number, channel: number) => void,
): Waveform {
  const waveform = newWaveform(memory, shape);
  for (let item = 0; item < shape.batch; item += 1) {
    for (let channel = 0; channel < shape.channels; channel += 1)
      fill(channelOf(waveform, item, channel), item, channel);
  }
  return waveform;
}

export function sliceWaveform(memory: Memory, waveform: Waveform, start: number, end: number): Waveform {
  return fillWaveform(memory, { ...waveform, samples: end - start }, (target, item, channel) =>
    target.set(channelOf(waveform, item, channel).subarray(start, end)),
  );
}
