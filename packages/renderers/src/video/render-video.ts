import { rename, rm, writeFile } from 'node:fs/promises';
import { pacer } from '@atelier/nodes/av';
import { loadSharp } from '@atelier/nodes/sharp';
import { renderAudio, type Sound } from '../audio/render-audio.ts';
import type { RenderOptions, VideoRequest, VideoSettings } from '../render-request.ts';
import { createStage } from './create-stage.ts';
import { FRAME_RATE, openFilm } from './film.ts';
import { createFinish } from './finish.ts';
import { newPlanes, type Size, type StoredPlanes, storedToRgb } from './planes.ts';
import { enrichPrompt, recommendPrompt } from './recommend-prompt.ts';
import { burnIn, createWatermark } from './watermark.ts';

/** Shares of the time at which setting up ends and finishing begins. */
const SET_UP = 0.06;
const FINISHED = 0.97;

/** Renders a video, its cover and, on request, the same video with a watermark. */
export async function renderVideo(request: VideoRequest, options: RenderOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const settings = await withPrompt(request);
  const paths = [request.output, request.cover, ...(request.watermark ? [request.watermark.output] : [])];
  try {
    await film({ ...request, settings }, options);
    signal?.throwIfAborted();
    for (const path of paths) await rename(partial(path), path);
    onProgress?.(1);
  } finally {
    for (const path of paths) await rm(partial(path), { force: true });
  }
}

/** Files get their names only when all are complete. */
function partial(path: string): string {
  return `${path}.partial`;
}

async function withPrompt({ image, settings }: VideoRequest): Promise<VideoSettings> {
  if (!settings.recommended) return settings;
  const { prompt, seed } = settings;
  return {
    ...settings,
    prompt: image === undefined ? enrichPrompt(prompt, seed) : await recommendPrompt(image),
  };
}

async function film(request: VideoRequest, { signal, onProgress }: RenderOptions): Promise<void> {
  const { settings, watermark } = request;
  const { width, height, seconds } = settings;
  const size = { width, height };
  const pace = pacer({ checkpoint: () => signal?.throwIfAborted() });
  const mark = watermark && (await createWatermark(watermark, size));
  const stage = await createStage(request);
  const sound = soundOf(settings);
  const planes = newPlanes(size);
  const finish = createFinish(planes, stage.look);
  const count = Math.max(1, Math.round(seconds * FRAME_RATE));
  onProgress?.(SET_UP);
  using main = openFilm(partial(request.output), size, sound);
  using marked = watermark ? openFilm(partial(watermark.output), size, sound) : undefined;
  for (let index = 0; index < count; index++) {
    await pace();
    const moment = { seconds: index / FRAME_RATE, progress: index / Math.max(1, count - 1) };
    stage.draw(planes, moment);
    const shown = main.add((stored) => {
      finish(stored, stage.lookAt(moment));
      if (mark) marked?.add((target) => burnIn(target, stored, size, mark));
      return index === 0 ? encodeCover(size, stored) : undefined;
    });
    if (shown) await writeFile(partial(request.cover), await shown);
    onProgress?.(SET_UP + ((FINISHED - SET_UP) * (index + 1)) / count);
  }
  await main.finish(pace);
  await marked?.finish(pace);
}

function soundOf({ prompt, seconds, seed, audio, music }: VideoSettings): Sound | undefined {
  if (!audio && !music) return undefined;
  return renderAudio({ prompt, seconds, seed, ambience: audio, music });
}

/** Reads the pixels at once, because the frame may be gone when the JPEG is ready. */
async function encodeCover(size: Size, stored: StoredPlanes): Promise<Buffer> {
  const pixels = storedToRgb(size, stored);
  const sharp = await loadSharp();
  return await sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}
