import type { NodeContext } from '@atelier/engine';
import { decodeVideo } from '../av/decode-video.ts';
import { type Audio, sliceWaveform } from '../values/audio.ts';
import { type Image, newImage, picture } from '../values/image.ts';
import type { FileVideo, FramesVideo, Video, VideoWindow } from '../values/video.ts';
import { framesWithin } from './kernels/frame-window.ts';

type Work = Pick<NodeContext, 'files' | 'memory' | 'checkpoint' | 'progress'>;

/** The pictures and the sound of a video. */
export async function videoComponents(
  video: Video,
  work: Work,
): Promise<{ readonly images: Image; readonly audio: Audio | null }> {
  if (video.kind === 'file') return await decodeFile(video, work);
  const { images, audio, window } = video;
  if (!window) return { images, audio };
  const { first, count } = framesOf(video);
  const indices = Array.from({ length: count }, (_, index) => first + index);
  return { images: pick(images, indices, work), audio: audio && cutAudio(audio, window, work) };
}

async function decodeFile({ ref, window }: FileVideo, work: Work, only?: readonly number[]) {
  const path = await work.files.localPath(ref);
  return await decodeVideo({ path, name: ref.name, window, only }, work);
}

/** Selects pictures, counted from the start of the video. */
export async function selectFrames(video: Video, indices: readonly number[], work: Work): Promise<Image> {
  if (video.kind === 'file') return (await decodeFile(video, work, indices)).images;
  const { first } = framesOf(video);
  return pick(
    video.images,
    indices.map((index) => first + index),
    work,
  );
}

export function framesOf({ images, fps, window }: FramesVideo) {
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

/** The sound of the window. */
export function cutAudio(
  { waveform, sampleRate }: Audio,
  { start, duration }: VideoWindow,
  { memory }: Pick<Work, 'memory'>,
): Audio {
  const first = Math.min(waveform.samples, Math.trunc(start * sampleRate));
  const rest = waveform.samples - first;
  const samples = duration > 0 ? Math.min(rest, Math.trunc(duration * sampleRate)) : rest;
  return { waveform: sliceWaveform(memory, waveform, first, first + samples), sampleRate };
}
