import { type Memory, valueError } from '@atelier/engine';
import type { Frame } from 'node-av/lib';
import type { Audio } from '../values/audio.ts';
import { copyChannel } from './sample-formats.ts';

const BLOCK_SAMPLES = 1 << 17;

/** Collects decoded sound whose length is not known in advance. */
export function collectSamples(name: string, memory: Memory) {
  /** Each `[channels, BLOCK_SAMPLES]`. */
  const blocks: Float32Array<ArrayBuffer>[] = [];
  const spill = new Float32Array(1 << 16);
  let channels = 0;
  let sampleRate = 0;
  let samples = 0;

  /** Streams may change their format midway, as broadcasts do; one waveform cannot. */
  function checkFormat(frame: Frame): void {
    channels ||= frame.channels;
    sampleRate ||= frame.sampleRate;
    if (frame.channels === channels && frame.sampleRate === sampleRate) return;
    throw valueError(
      `The sound of ${name} changes from ${channels} channels at ${sampleRate} Hz to ${frame.channels} at ${frame.sampleRate} Hz.`,
    );
  }

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
    isEmpty: () => samples === 0,
    /** Takes a decoded frame, without its first `skip` samples. */
    add(frame: Frame, skip = 0): void {
      checkFormat(frame);
      const count = frame.nbSamples - skip;
      if (count <= 0) return;
      const target = count <= spill.length ? spill.subarray(0, count) : new Float32Array(count);
      for (let channel = 0; channel < channels; channel += 1) {
        copyChannel(frame, channel, skip, target);
        put(target, channel);
      }
      samples += count;
    },
    /** All of the sound, or its first seconds; `undefined` if there is none. */
    finish(seconds = Number.POSITIVE_INFINITY): Audio | undefined {
      if (samples === 0) return undefined;
      const kept = Math.max(0, Math.min(Math.trunc(seconds * sampleRate), samples));
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
      return { waveform: { batch: 1, channels, samples: kept, data }, sampleRate };
    },
  };
}
