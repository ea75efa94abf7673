import { valueError } from '@atelier/engine';
import type { Audio } from '../values/audio.ts';
import { decodeStreams } from './decoder.ts';
import { pacer, type Work } from './ffmpeg.ts';
import { audioStreams, type Media } from './open-media.ts';
import { collectSamples } from './sample-collector.ts';

export async function decodeAudio(media: Media, work: Work): Promise<Audio> {
  const [stream] = audioStreams(media);
  if (!stream) throw valueError(`There is no sound in ${media.name}.`);
  const { add, finish } = collectSamples(media.name, work.memory);
  await decodeStreams(media, [{ stream, add, done: () => false }], pacer(work));
  const audio = finish();
  if (!audio) throw valueError(`No sound could be decoded from ${media.name}.`);
  return audio;
}
