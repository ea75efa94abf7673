import type { Memory } from '@atelier/engine';

/** float32 `[batch, channels, samples]`, nominally −1 to 1. */
export interface Waveform {
  readonly batch: number;
  readonly channels: number;
  readonly samples: number;
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

export interface WaveformShape {
  readonly batch: number;
  readonly channels: number;
  readonly samples: number;
}

/** A waveform whose every sample the caller will write. */
export function newWaveform(memory: Memory, { batch, channels, samples }: WaveformShape): Waveform {
  return { batch, channels, samples, data: memory.dirtyFloats(batch * channels * samples) };
}

/** The samples of one channel of one item, without a copy. */
export function channelOf(
  { channels, samples, data }: Waveform,
  item: number,
  channel: number,
): Float32Array<ArrayBuffer> {
  const start = (item * channels + channel) * samples;
  return data.subarray(start, start + samples);
}
