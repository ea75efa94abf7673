import type { NodeContext } from '@atelier/engine';
import { decodeVideo } from '../av/decode-video.ts';
import { type Audio, channelOf, newWaveform } from '../values/audio.ts';
import { type Image, newImage, picture } from '../values/image.ts';
import type { FramesVideo, Video, VideoWindow } from '../values/video.ts';
import { framesWithin } from './kernels/frame-window.ts';

type Work = Pick<NodeContext, 'files' | 'memory' | 'checkpoint' | 'progress'>;

/** The pictures and the sound of a video. */
export async function videoComponents(
  video: Video,
  work: Work,
): Promise<{ readonly images: Image; readonly audio: Audio | null }> {
  if (video.kind === 'file') {
    const path = await work.files.localPath(video.ref);
    return await decodeVideo({ path, name: video.ref.name, window: video.window }, work);
  }
  const { images, audio, window } = video;
  if (!window) return { images, audio };
  const { first, count } = framesOf(video);
  const indices = Array.from({ length: count }, (_, index) => first + index);
  return { images: pick(images, indices, work), audio: audio && cutAudio(audio, window, work) };
}

/** Only those pictures, counted from the start of the video. */
export async function selectFrames(video: Video, indices: readonly number[], work: Work): Promise<Image> {
  if (video.kind === 'file') {
    const path = await work.files.localPath(video.ref);
    const { images } = await decodeVideo(
      { path, name: video.ref.name, window: video.window, only: indices },
      work,
    );
    return images;
  }
  const { first } = framesOf(video);
  return pick(
    video.images,
    indices.map((index) => first + index),
    work,
  );
}

export function framesOf({ images, fps, window }: FramesVideo): {
  readonly first: number;
  readonly count: number;
} {
  return framesWithin({ count: images.batch, fps }, window);
}

function pick(images: Image, indices: readonly number[], { memory, progress }: Work): Image {
  const picked = newImage(memory, { ...images, batch: indices.length });
  indices.forEach((index, place) => {
    picture(picked, place).set(picture(images, index));
    progress(place + 1, indices.length);
  });
  return picked;
}

/** The sound of the part. */
export function cutAudio(
  { waveform, sampleRate }: Audio,
  { start, duration }: VideoWindow,
  { memory }: Pick<Work, 'memory'>,
): Audio {
  const { batch, channels } = waveform;
  const first = Math.min(waveform.samples, Math.trunc(start * sampleRate));
  const rest = waveform.samples - first;
  const samples = duration > 0 ? Math.min(rest, Math.trunc(duration * sampleRate)) : rest;
  const part = newWaveform(memory, { batch, channels, samples });
  for (let item = 0; item < batch; item += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      channelOf(part, item, channel).set(channelOf(waveform, item, channel).subarray(first, first + samples));
    }
  }
  return { waveform: part, sampleRate };
}
