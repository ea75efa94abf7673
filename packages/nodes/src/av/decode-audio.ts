import { valueError } from '@atelier/engine';
import type { Frame } from 'node-av/lib';
import type { Audio } from '../values/audio.ts';
import { decodeStreams } from './decoder.ts';
import type { Work } from './ffmpeg.ts';
import { audioStreams, type Media } from './open-media.ts';
import { pacer } from './pacer.ts';
import { collectSamples, type SampleCollector } from './sample-collector.ts';

/** The first audio stream of a file, decoded as a whole. */
export async function decodeAudio(media: Media, work: Work): Promise<Audio> {
  const [stream] = audioStreams(media);
  if (!stream) throw valueError(`There is no sound in ${media.name}.`);
  let collector: SampleCollector | undefined;
  let sampleRate = 0;
  const add = (frame: Frame): void => {
    collector ??= collectSamples(frame.channels, work.memory);
    sampleRate ||= frame.sampleRate;
    checkSame(media.name, { channels: collector.channels, sampleRate }, frame);
    collector.add(frame);
  };
  await decodeStreams(media, [{ stream, add, done: () => false }], pacer(work));
  if (!collector) throw valueError(`No sound could be decoded from ${media.name}.`);
  return { waveform: collector.finish(), sampleRate };
}

/** Streams may change their format midway, as broadcasts do; one waveform cannot. */
export function checkSame(
  name: string,
  { channels, sampleRate }: { readonly channels: number; readonly sampleRate: number },
  frame: Frame,
): void {
  if (frame.channels === channels && frame.sampleRate === sampleRate) return;
  throw valueError(
    `The sound of ${name} changes from ${channels} channels at ${sampleRate} Hz to ${frame.channels} at ${frame.sampleRate} Hz.`,
  );
}
