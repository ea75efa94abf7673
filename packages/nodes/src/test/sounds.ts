import type { Audio } from '../values/audio.ts';

export interface SoundShape {
  readonly batch?: number;
  readonly channels?: number;
  readonly samples?: number;
  readonly sampleRate?: number;
}

/** Sines, another pitch in each channel and item. */
export function sines({
  batch = 1,
  channels = 2,
  samples = 4410,
  sampleRate = 44100,
}: SoundShape = {}): Audio {
  const data = new Float32Array(batch * channels * samples);
  for (let line = 0; line < batch * channels; line += 1) {
    const pitch = (2 * Math.PI * 220 * (line + 1)) / sampleRate;
    for (let n = 0; n < samples; n += 1) data[line * samples + n] = 0.5 * Math.sin(pitch * n);
  }
  return { waveform: { batch, channels, samples, data }, sampleRate };
}

/** A sound of exactly these samples, one list for each channel. */
export function soundOf(channels: readonly (readonly number[])[], sampleRate = 10): Audio {
  const samples = channels[0]?.length ?? 0;
  return {
    waveform: { batch: 1, channels: channels.length, samples, data: Float32Array.from(channels.flat()) },
    sampleRate,
  };
}

/** The samples of a sound with one item, one list for each channel. */
export function linesOf(sound: unknown): number[][] {
  const { waveform } = sound as Audio;
  return Array.from({ length: waveform.batch * waveform.channels }, (_, line) => [
    ...waveform.data.subarray(line * waveform.samples, (line + 1) * waveform.samples),
  ]);
}
