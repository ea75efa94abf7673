import type { SkinSettings } from '@atelier/renderers';

import { copyPhoto, fileOf, type Shot, type Strip, type Studio } from './strip.ts';

const PLAIN: SkinSettings = { mode: 'faithful', sharpen: 0, smartGrain: 0, skinDetail: 0, seed: 7 };
const LEVELS = [0, 50, 100];
const PURPOSES = [
  'enhance_skin',
  'improve_lighting',
  'enhance_everything',
  'transform_to_real',
  'no_make_up',
] as const;

/** The skin enhancer on photographs. */
export async function* skinStrips(studio: Studio): AsyncGenerator<Strip> {
  const natural = await copyPhoto(studio, 'barack-obama');
  const people = [
    natural,
    await copyPhoto(studio, 'eileen-collins'),
    await copyPhoto(studio, 'grace-hopper'),
  ];
  const shoot = async (input: Shot, caption: string, settings: Partial<SkinSettings>): Promise<Shot> => {
    const { file, path } = fileOf(studio, `skin ${input.file} ${caption}.jpg`);
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
    const shots: Shot[] = [];
    for (const before of people) {
      const settings = { mode: 'flexible', optimizedFor: purpose, smartGrain: 2 } as const;
      shots.push(before, await shoot(before, purpose, settings));
    }
    yield { title: `Skin enhancer, flexible: ${purpose}`, shots };
  }
}
