import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Picture, readPicture, writePicture } from '../../pixels/picture.ts';
import { PLAIN_RELIGHT, type RelightSettings } from '../../render-request.ts';
import { portrait } from '../../samples/portrait.ts';
import { renderRelight } from '../render-relight.ts';

export const NEUTRAL: RelightSettings = {
  ...PLAIN_RELIGHT,
  engine: 'balanced',
  transferLightA: 'normal',
  transferLightB: 'straight',
  seed: 1,
};

interface Sources {
  readonly reference?: Picture;
  readonly lightMap?: Picture;
}

/** What the renderer makes of a picture, through files without loss. */
export async function relit(
  picture: Picture,
  settings: Partial<RelightSettings>,
  sources: Sources = {},
): Promise<Picture> {
  return await inFolder(async (folder) => {
    const [input, output] = [join(folder, 'in.png'), join(folder, 'out.png')];
    await writePicture({ ...picture, format: 'png' }, input);
    const write = async (name: string, source: Picture | undefined): Promise<string | undefined> => {
      if (source === undefined) return undefined;
      await writePicture({ ...source, format: 'png' }, join(folder, name));
      return join(folder, name);
    };
    const reference = await write('reference.png', sources.reference);
    const lightMap = await write('map.png', sources.lightMap);
    await renderRelight({
      kind: 'relight',
      input,
      output,
      reference,
      lightMap,
      settings: { ...NEUTRAL, ...settings },
    });
    return await readPicture(output);
  });
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'relight-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const PERSON = portrait({ width: 88, height: 110, seed: 1, skinTone: 'light' });

export function person(): Picture {
  return { width: PERSON.width, height: PERSON.height, rgb: PERSON.rgb, format: 'png' };
}

/** Every pixel by a function of its place, 0 to 1 each way. */
export function painted(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly [number, number, number],
): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const place = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height] as const;
    rgb.set(
      color(...place).map((value) => Math.min(255, Math.max(0, Math.round(value)))),
      at * 3,
    );
  }
  return { width, height, rgb, format: 'png' };
}

type Region = (x: number, y: number) => boolean;

export const LEFT: Region = (x) => x < 0.5;
export const RIGHT: Region = (x) => x >= 0.5;
export const EVERYWHERE: Region = () => true;

/** Mean of red, green and blue in a part of the picture. */
export function meanOf(
  { width, height, rgb }: Picture,
  region: Region = EVERYWHERE,
): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < width * height; at++) {
    if (!region(((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height)) continue;
    count++;
    for (const channel of [0, 1, 2] as const) sums[channel] += rgb[at * 3 + channel] ?? 0;
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

export function brightnessOf(picture: Picture, region: Region = EVERYWHERE): number {
  const [red, green, blue] = meanOf(picture, region);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Mean difference of two pictures, in values from 0 to 255. */
export function difference(one: Picture, other: Picture, region: Region = EVERYWHERE): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < one.rgb.length; at++) {
    const pixel = Math.floor(at / 3);
    if (!region(((pixel % one.width) + 0.5) / one.width, (Math.floor(pixel / one.width) + 0.5) / one.height))
      continue;
    sum += Math.abs((one.rgb[at] ?? 0) - (other.rgb[at] ?? 0));
    count++;
  }
  return sum / count;
}

/** How much neighbouring pixels differ, relative to how bright they are. */
export function textureOf({ width, height, rgb }: Picture, region: Region = EVERYWHERE): number {
  let sum = 0;
  let level = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      if (!region((x + 0.5) / width, (y + 0.5) / height)) continue;
      const at = (y * width + x) * 3 + 1;
      sum += Math.abs((rgb[at] ?? 0) - (rgb[at - 3] ?? 0));
      level += rgb[at] ?? 0;
    }
  }
  return sum / level;
}
