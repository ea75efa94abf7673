import type { SkinSettings } from '@atelier/renderers';
import { portrait } from '@atelier/renderers/samples';
import sharp from 'sharp';

import { fileOf, type Shot, type Strip, type Studio } from './strip.ts';

const PLAIN: SkinSettings = { mode: 'faithful', sharpen: 0, smartGrain: 0, skinDetail: 0, seed: 7 };
const LEVELS = [0, 50, 100];
const PURPOSES = [
  'enhance_skin',
  'improve_lighting',
  'enhance_everything',
  'transform_to_real',
  'no_make_up',
] as const;

/** The skin enhancer on a drawn portrait: no photograph of a person is needed to see what it does. */
export async function* skinStrips(studio: Studio): AsyncGenerator<Strip> {
  const natural = await drawPortrait(studio, 'portrait', {});
  const madeUp = await drawPortrait(studio, 'portrait-with-make-up', { makeUp: true });
  const plastic = await drawPortrait(studio, 'portrait-of-plastic', { finish: 'plastic' });
  const shoot = async (input: Shot, caption: string, settings: Partial<SkinSettings>): Promise<Shot> => {
    const { file, path } = fileOf(studio, `skin ${caption}.jpg`);
    const from = fileOf(studio, input.file).path;
    await studio.render({ kind: 'skin', input: from, output: path, settings: { ...PLAIN, ...settings } });
    return { caption, file };
  };
  const levels = async (name: 'skinDetail' | 'sharpen' | 'smartGrain', word: string): Promise<Strip> => {
    const shots = [natural];
    for (const level of LEVELS) shots.push(await shoot(natural, `${word} ${level}`, { [name]: level }));
    return { title: `Skin enhancer, faithful: ${word}`, shots };
  };
  yield await levels('skinDetail', 'skin_detail');
  yield await levels('sharpen', 'sharpen');
  yield await levels('smartGrain', 'smart_grain');
  yield {
    title: 'Skin enhancer: the modes',
    shots: [
      natural,
      await shoot(natural, 'faithful', { skinDetail: 80, smartGrain: 2 }),
      await shoot(natural, 'creative', { mode: 'creative', smartGrain: 2 }),
      await shoot(natural, 'flexible', { mode: 'flexible', optimizedFor: 'enhance_skin', smartGrain: 2 }),
    ],
  };
  for (const purpose of PURPOSES) {
    const before = purpose === 'no_make_up' ? madeUp : purpose === 'transform_to_real' ? plastic : natural;
    const after = await shoot(before, purpose, { mode: 'flexible', optimizedFor: purpose, smartGrain: 2 });
    yield { title: `Skin enhancer, flexible: ${purpose}`, shots: [before, after] };
  }
}

type Look = Partial<Pick<Parameters<typeof portrait>[0], 'makeUp' | 'finish'>>;

async function drawPortrait(studio: Studio, name: string, look: Look): Promise<Shot> {
  const height = studio.edge;
  const width = Math.round(height * 0.8);
  const { rgb } = portrait({ width, height, seed: 3, skinTone: 'light', ...look });
  const { file, path } = fileOf(studio, `${name}.jpg`);
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toFile(path);
  return { caption: 'before', file };
}
