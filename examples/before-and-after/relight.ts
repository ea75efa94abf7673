import {
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
} from '@atelier/contracts/proxy-words';
import { PLAIN_RELIGHT, type RelightSettings } from '@atelier/renderers';
import sharp from 'sharp';

import { copyPhoto, fileOf, type Shot, type Strip, type Studio } from './strip.ts';

const PROMPTS = [
  'hard light from the left',
  'soft light from the right',
  'golden hour, warm sun from behind, rim light',
  'moonlight at night, cold',
  'neon lights, magenta and cyan',
  'candlelight from below, dramatic',
  'overcast noon in a studio',
];
const DIALS = ['whites', 'blacks', 'brightness', 'contrast', 'saturation'] as const;
const SUNSET = 'golden hour from the left';

interface Sources {
  readonly reference?: string;
  readonly lightMap?: string;
}

/** Relight on photographs. */
export async function* relightStrips(studio: Studio): AsyncGenerator<Strip> {
  const face = await copyPhoto(studio, 'grace-hopper');
  const things = await copyPhoto(studio, 'coffee');
  const flower = await copyPhoto(studio, 'dahlia');
  const map = await drawLightMap(studio);
  const at = (shot: Shot): string => fileOf(studio, shot.file).path;
  const shoot = async (
    caption: string,
    settings: Partial<RelightSettings>,
    { before = face, ...sources }: Sources & { readonly before?: Shot } = {},
  ): Promise<Shot> => {
    const { file, path } = fileOf(studio, `relight ${before.file} ${caption}.jpg`);
    await studio.render({
      kind: 'relight',
      input: at(before),
      output: path,
      ...sources,
      settings: { ...PLAIN_RELIGHT, ...settings },
    });
    return { caption, file };
  };
  async function* choices<T extends string>(
    title: string,
    values: readonly T[],
    toSettings: (value: T) => Partial<RelightSettings>,
  ): AsyncGenerator<Strip> {
    const shots = [face];
    for (const value of values) shots.push(await shoot(`${title} ${value}`, toSettings(value)));
    yield { title: `Relight: ${title}`, shots };
  }

  yield* choices('prompt', PROMPTS, (prompt) => ({ prompt }));
  yield* choices('weight', ['1', '1.4'], (weight) => ({ prompt: `(golden hour:${weight}) from the left` }));
  yield {
    title: 'Relight: a light map, and a reference picture',
    shots: [
      face,
      map,
      await shoot('by the light map', {}, { lightMap: at(map) }),
      { ...flower, caption: 'reference' },
      await shoot('by the reference', {}, { reference: at(flower) }),
    ],
  };
  yield* choices('strength', ['0', '50', '100'], (strength) => ({
    prompt: SUNSET,
    strength: Number(strength),
  }));
  yield {
    title: 'Relight: product photos',
    shots: [
      things,
      await shoot('preserve_details', { prompt: SUNSET }, { before: things }),
      await shoot('without preserve_details', { prompt: SUNSET, preserveDetails: false }, { before: things }),
      await shoot(
        'without change_background',
        { prompt: SUNSET, changeBackground: false },
        { before: things },
      ),
      await shoot(
        'interpolate_from_original at 50',
        { prompt: SUNSET, interpolateFromOriginal: true, strength: 50 },
        { before: things },
      ),
    ],
  };
  yield* choices('style', RELIGHT_STYLES, (style) => ({ prompt: SUNSET, style }));
  yield* choices('engine', RELIGHT_ENGINES, (engine) => ({ prompt: SUNSET, engine }));
  yield* choices('transfer_light_a', TRANSFER_LIGHT_A, (value) => ({
    prompt: SUNSET,
    transferLightA: value,
  }));
  yield* choices('transfer_light_b', TRANSFER_LIGHT_B, (value) => ({
    prompt: SUNSET,
    transferLightB: value,
  }));
  for (const dial of DIALS) {
    yield* choices(dial, ['10', '50', '90'], (value) => ({ prompt: SUNSET, [dial]: Number(value) }));
  }
}

/** Light from above on the right, warm, and a little blue from the other side. */
async function drawLightMap(studio: Studio): Promise<Shot> {
  const edge = 64;
  const rgb = new Uint8Array(edge * edge * 3);
  for (let y = 0, at = 0; y < edge; y += 1) {
    for (let x = 0; x < edge; x += 1, at += 3) {
      const warm = Math.max(0, 1 - Math.hypot(x - edge * 0.9, y - edge * 0.15) / edge);
      const cold = Math.max(0, 1 - Math.hypot(x, y - edge) / edge) * 0.4;
      rgb.set([255 * warm, 200 * warm + 60 * cold, 120 * warm + 160 * cold], at);
    }
  }
  const { file, path } = fileOf(studio, 'light-map.png');
  await sharp(rgb, { raw: { width: edge, height: edge, channels: 3 } }).toFile(path);
  return { caption: 'light map', file };
}
