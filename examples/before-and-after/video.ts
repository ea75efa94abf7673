import type { VideoSettings } from '@atelier/renderers';

import { fileOf, type Shot, type Strip, type Studio } from './strip.ts';

const SCENES = [
  'waves at sunset, slow push in',
  'mountains above a lake in the morning fog, pan right',
  'aurora over a frozen sea',
  'underwater, rays of light',
  'above the clouds at noon, orbit',
  'abstract folds, teal and gold',
];

/** Landscapes, and camera moves over a start frame. */
export async function* videoStrips(studio: Studio): AsyncGenerator<Strip> {
  const height = Math.round(studio.edge * 0.28125) * 2;
  const width = Math.round(studio.edge / 2) * 2;
  const plain: VideoSettings = {
    prompt: '',
    width,
    height,
    seconds: studio.seconds,
    seed: 7,
    style: 'general',
    movement: 'auto',
    audio: false,
    music: false,
    recommended: false,
  };
  const shoot = async (
    caption: string,
    settings: Partial<VideoSettings>,
    { isMarked = false, start }: { readonly isMarked?: boolean; readonly start?: string } = {},
  ): Promise<Shot> => {
    const { file, path } = fileOf(studio, `video ${caption}.mp4`);
    await studio.render({
      kind: 'video',
      image: start,
      output: isMarked ? fileOf(studio, `video ${caption} without.mp4`).path : path,
      cover: fileOf(studio, `video ${caption}.jpg`).path,
      watermark: isMarked ? { output: path, corner: 'bottom-right' } : undefined,
      settings: { ...plain, ...settings },
    });
    return { caption, file };
  };

  const scenes: Shot[] = [];
  for (const prompt of SCENES) scenes.push(await shoot(prompt, { prompt }));
  yield { title: 'Videos of words', shots: scenes };
  const [prompt = ''] = SCENES;
  yield {
    title: 'Videos: style and seed',
    shots: [
      await shoot('style anime', { prompt, style: 'anime' }),
      await shoot('seed 8', { prompt, seed: 8 }),
      await shoot('watermark', { prompt }, { isMarked: true }),
    ],
  };
  const moves: Shot[] = [];
  const start = fileOf(studio, `video ${SCENES[1]}.jpg`).path;
  for (const movement of ['small', 'medium', 'large'] as const) {
    moves.push(await shoot(`movement_amplitude ${movement}`, { movement }, { start }));
  }
  yield { title: 'Camera moves over a start frame', shots: moves };
  yield {
    title: 'Videos with sound',
    shots: [await shoot('audio', { prompt, audio: true }), await shoot('bgm', { prompt, music: true })],
  };
}
