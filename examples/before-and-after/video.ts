import type { VideoSettings } from '@atelier/renderers';
import { stillLife } from '@atelier/renderers/samples';
import sharp from 'sharp';

import { fileOf, type Shot, type Strip, type Studio } from './strip.ts';

const SCENES = [
  'waves roll onto the beach at sunset, slow push in',
  'snow falls on a forest at night, stars and moon',
  'a city skyline in the rain, neon lights',
  'mountains above a lake in the morning fog, pan right',
  'aurora over a frozen sea',
  'underwater, rays of light and bubbles',
  'desert dunes at noon, orbit',
  'the sound of colors, abstract',
];

/** Videos of words, and of a drawn picture. */
export async function* videoStrips(studio: Studio): AsyncGenerator<Strip> {
  const height = Math.round(studio.edge * 0.28125) * 2;
  const width = Math.round(studio.edge / 2) * 2;
  const image = await drawFrame(studio, width, height);
  const plain: VideoSettings = {
    prompt: '',
    width,
    height,
    seconds: studio.seconds,
    seed: 7,
    style: 'general',
    movement: 'auto',
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
  for (const movement of ['small', 'medium', 'large'] as const) {
    moves.push(await shoot(`movement_amplitude ${movement}`, { movement }, { start: image }));
  }
  yield { title: 'Videos of a start frame', shots: moves };
  yield {
    title: 'Videos with sound',
    shots: [
      await shoot('all', { prompt: `${prompt}, "welcome to the sea"`, audio: { kind: 'all' } }),
      await shoot('speech_only', {
        prompt: `${prompt}, "welcome to the sea"`,
        audio: { kind: 'speech_only' },
      }),
      await shoot('sound_effect_only', { prompt, audio: { kind: 'sound_effect_only' } }),
      await shoot('bgm', { prompt: `calm ${prompt}`, music: true }),
    ],
  };
}

async function drawFrame(studio: Studio, width: number, height: number): Promise<string> {
  const drawn = stillLife({ size: studio.edge });
  const { path } = fileOf(studio, 'start-frame.jpg');
  await sharp(drawn.rgb, { raw: { width: drawn.width, height: drawn.height, channels: 3 } })
    .resize(width, height, { fit: 'cover' })
    .jpeg({ quality: 95 })
    .toFile(path);
  return path;
}
