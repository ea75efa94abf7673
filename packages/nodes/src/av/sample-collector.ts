import type { Memory } from '@atelier/engine';
import type { Frame } from 'node-av/lib';
import type { Waveform } from '../values/audio.ts';
import { copyChannel } from './sample-formats.ts';

const BLOCK_SAMPLES = 1 << 17;

export type SampleCollector = ReturnType<typeof collectSamples>;

/** Collects sound whose length is not known in advance. */
export function collectSamples(channels: number, memory: Memory) {
  /** Each `[channels, BLOCK_SAMPLES]`. */
  const blocks: Float32Array<ArrayBuffer>[] = [];
  const spill = new Float32Array(1 << 16);
  let samples = 0;

  function put(source: Float32Array, channel: number): void {
    let at = samples;
    for (let done = 0; done < source.length; ) {
      const index = Math.floor(at / BLOCK_SAMPLES);
      const within = at % BLOCK_SAMPLES;
      const block = (blocks[index] ??= memory.dirtyFloats(channels * BLOCK_SAMPLES));
      const count = Math.min(source.length - done, BLOCK_SAMPLES - within);
      block.set(source.subarray(done, done + count), channel * BLOCK_SAMPLES + within);
      done += count;
      at += count;
    }
  }

  return {
    channels,
    /** Takes a decoded frame, without its first `skip` samples. */
    add(frame: Frame, skip = 0): void {
      const count = frame.nbSamples - skip;
      if (count <= 0) return;
      const target = count <= spill.length ? spill.subarray(0, count) : new Float32Array(count);
      for (let channel = 0; channel < channels; channel += 1) {
        copyChannel(frame, channel, skip, target);
        put(target, channel);
      }
      samples += count;
    },
    /** All of it, or its first `limit` samples. */
    finish(limit = samples): Waveform {
      const kept = Math.max(0, Math.min(limit, samples));
      const data = memory.dirtyFloats(channels * kept);
      blocks.forEach((block, index) => {
        const start = index * BLOCK_SAMPLES;
        const count = Math.max(0, Math.min(BLOCK_SAMPLES, kept - start));
        for (let channel = 0; channel < channels; channel += 1) {
          const from = channel * BLOCK_SAMPLES;
          data.set(block.subarray(from, from + count), channel * kept + start);
        }
        memory.free(block);
      });
      blocks.length = 0;
      return { batch: 1, channels, samples: kept, data };
    },
  };
}
