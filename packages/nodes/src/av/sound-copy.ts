import { AV_SAMPLE_FMT_FLTP, type AVSampleFormat } from 'node-av/constants';
import { avChannelLayoutDefault, Frame, SoftwareResampleContext } from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import type { AudioTrack } from './audio-track.ts';
import { check, ticks, type Work } from './ffmpeg.ts';
import { copyChannel } from './sample-formats.ts';
import type { Span } from './video-facts.ts';

export interface SoundShape {
  readonly channels: number;
  readonly sampleRate: number;
}

/** Writes decoded sound to a track, from the start of the span on, and never further than the frames. */
export function createSoundCopy(
  { channels, sampleRate }: SoundShape,
  { span, timeBase }: { readonly span: Span; readonly timeBase: Fraction },
  { memory }: Pick<Work, 'memory'>,
) {
  let mixer: SoftwareResampleContext | undefined;
  /** Planar blocks that are not written yet. */
  const pending: { readonly data: Float32Array<ArrayBuffer>; readonly samples: number; done: number }[] = [];
  let started = false;
  let gathered = 0;
  let written = 0;

  function mixerFor(frame: Frame): SoftwareResampleContext {
    if (mixer) return mixer;
    mixer = new SoftwareResampleContext();
    const target = avChannelLayoutDefault(channels);
    const source =
      frame.channelLayout.mask === 0n ? avChannelLayoutDefault(frame.channels) : frame.channelLayout;
    const format = frame.format as AVSampleFormat;
    check(
      mixer.allocSetOpts2(target, AV_SAMPLE_FMT_FLTP, sampleRate, source, format, frame.sampleRate),
      'Setting up the sound',
    );
    check(mixer.init(), 'Setting up the sound');
    return mixer;
  }

  function keep(frame: Frame, skip: number): void {
    const samples = frame.nbSamples - skip;
    if (samples <= 0) return;
    const data = memory.dirtyFloats(channels * samples);
    for (let channel = 0; channel < channels; channel += 1) {
      copyChannel(frame, channel, skip, data.subarray(channel * samples, (channel + 1) * samples));
    }
    pending.push({ data, samples, done: 0 });
    gathered += samples;
  }

  return {
    add(frame: Frame): void {
      const converter = mixerFor(frame);
      using mixed = new Frame();
      mixed.alloc();
      mixed.format = AV_SAMPLE_FMT_FLTP;
      mixed.sampleRate = sampleRate;
      mixed.channelLayout = avChannelLayoutDefault(channels);
      mixed.nbSamples = converter.getOutSamples(frame.nbSamples);
      if (mixed.nbSamples <= 0) return;
      check(mixed.getBuffer(), 'Making room for sound');
      const count = check(
        converter.convertSync(mixed.extendedData, mixed.nbSamples, frame.extendedData, frame.nbSamples),
        'Converting sound',
      );
      mixed.nbSamples = count;
      const stamp = started ? undefined : ticks(frame.pts);
      const time = stamp === undefined ? span.start : (stamp * timeBase.num) / timeBase.den - span.origin;
      const skip = started ? 0 : Math.max(0, Math.trunc((span.start - time) * sampleRate));
      if (skip >= count) return;
      started = true;
      keep(mixed, skip);
    },
    /** Writes up to a time after the start of the span. */
    writeUntil(seconds: number, track: AudioTrack): void {
      const end = Math.ceil(seconds * sampleRate);
      for (let block = pending[0]; block && written < end; [block] = pending) {
        const { data, samples, done } = block;
        const stop = Math.min(samples, done + end - written);
        track.write(
          Array.from({ length: channels }, (_, channel) =>
            data.subarray(channel * samples + done, channel * samples + stop),
          ),
        );
        written += stop - done;
        block.done = stop;
        if (stop < samples) break;
        memory.free(data);
        pending.shift();
      }
    },
    /** Whether there is enough sound up to a time. */
    reaches: (seconds: number) => gathered >= Math.ceil(seconds * sampleRate),
    [Symbol.dispose]() {
      mixer?.free();
    },
  };
}
