import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedFile } from '../files/save-path.ts';
import type { Audio } from '../values/audio.ts';
import type { Image } from '../values/image.ts';
import { createVideo, getVideoComponents } from '../video/create-video.ts';
import { loadVideo } from '../video/load-video.ts';
import { runNode, type TestContext } from './run-node.ts';

/** Red to the right, green downwards, blue with time; a fourth channel is clear on the left. */
export function gradients({
  frames = 6,
  width = 64,
  height = 48,
  channels = 3,
}: {
  readonly frames?: number;
  readonly width?: number;
  readonly height?: number;
  readonly channels?: number;
} = {}): Image {
  const data = new Float32Array(frames * height * width * channels);
  let at = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const color = [x / width, y / height, frame / frames, x < width / 2 ? 0 : 1];
        for (let channel = 0; channel < channels; channel += 1) data[at++] = color[channel] ?? 0;
      }
    }
  }
  return { batch: frames, height, width, channels, data };
}

export interface Components {
  readonly images: Image;
  readonly audio: Audio | null;
  readonly fps: number;
  readonly bitDepth: number;
  readonly colorSpace: string;
}

export async function componentsOf(video: unknown, context: TestContext): Promise<Components> {
  const { outputs } = await runNode(getVideoComponents, { video }, context);
  const [images, audio, fps, bitDepth, colorSpace] = outputs as [Image, Audio | null, number, number, string];
  return { images, audio, fps, bitDepth, colorSpace };
}

export async function makeVideo(
  inputs: Readonly<Record<string, unknown>>,
  context: TestContext,
): Promise<unknown> {
  return (await runNode(createVideo, { fps: 24, ...inputs }, context)).outputs[0];
}

/** The file that a node saved, as a video again. */
export async function loadSaved({ filename, subfolder }: SavedFile, context: TestContext): Promise<unknown> {
  mkdirSync(join(context.folder, 'input'), { recursive: true });
  copyFileSync(join(context.folder, 'output', subfolder, filename), join(context.folder, 'input', filename));
  return (await runNode(loadVideo, { file: filename }, context)).outputs[0];
}

/** How far pictures are apart: at most, and on average. */
export function distance(actual: Image, wanted: Image): { readonly most: number; readonly mean: number } {
  let most = 0;
  let sum = 0;
  const pixels = Math.min(actual.data.length / actual.channels, wanted.data.length / wanted.channels);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const off = Math.abs(
        (actual.data[pixel * actual.channels + channel] ?? 9) -
          (wanted.data[pixel * wanted.channels + channel] ?? 0),
      );
      most = Math.max(most, off);
      sum += off;
    }
  }
  return { most, mean: sum / (pixels * 3) };
}
