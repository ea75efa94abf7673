import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Picture, readPicture, writePicture } from '../src/pixels/picture.ts';
import { renderRelight } from '../src/relight/render-relight.ts';
import {
  PLAIN_RELIGHT,
  type RelightSettings,
  type RenderOptions,
  type SkinSettings,
} from '../src/render-request.ts';
import { renderSkin } from '../src/skin/render-skin.ts';

export type PhotoName = 'barack-obama' | 'coffee' | 'dahlia' | 'eileen-collins' | 'grace-hopper';

/** One of the photographs of this folder, reduced so that tests are quick. */
export async function photo(name: PhotoName, longestEdge = 320): Promise<Picture> {
  const picture = await readPicture(join(import.meta.dirname, 'fixtures', `${name}.jpg`), { longestEdge });
  return { ...picture, format: 'png' };
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'renderers-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const NO_CHANGE: SkinSettings = { mode: 'faithful', sharpen: 0, smartGrain: 0, skinDetail: 0, seed: 1 };

/** The picture after the skin enhancer; settings that are not given are 0. */
export async function retouched(
  picture: Picture,
  settings: Partial<SkinSettings>,
  options?: RenderOptions,
): Promise<Picture> {
  return await throughFiles(picture, async (input, output) => {
    await renderSkin({ kind: 'skin', input, output, settings: { ...NO_CHANGE, ...settings } }, options);
  });
}

const NEUTRAL: RelightSettings = {
  ...PLAIN_RELIGHT,
  engine: 'balanced',
  transferLightA: 'normal',
  transferLightB: 'straight',
};

interface Sources {
  readonly reference?: Picture;
  readonly lightMap?: Picture;
}

export async function relit(
  picture: Picture,
  settings: Partial<RelightSettings>,
  { reference, lightMap }: Sources = {},
  options?: RenderOptions,
): Promise<Picture> {
  return await throughFiles(picture, async (input, output, folder) => {
    const save = async (name: string, source: Picture | undefined): Promise<string | undefined> => {
      if (source === undefined) return undefined;
      await writePicture({ ...source, format: 'png' }, join(folder, name));
      return join(folder, name);
    };
    const request = {
      kind: 'relight',
      input,
      output,
      reference: await save('reference.png', reference),
      lightMap: await save('map.png', lightMap),
      settings: { ...NEUTRAL, ...settings },
    } as const;
    await renderRelight(request, options);
  });
}

async function throughFiles(
  picture: Picture,
  render: (input: string, output: string, folder: string) => Promise<void>,
): Promise<Picture> {
  return await inFolder(async (folder) => {
    const [input, output] = [join(folder, 'in.png'), join(folder, 'out.png')];
    await writePicture({ ...picture, format: 'png' }, input);
    await render(input, output, folder);
    return await readPicture(output);
  });
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

/** A part of a picture: left, top, right and bottom, 0 to 1. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

export const WHOLE: Box = [0, 0, 1, 1];

/** The mean of what a function makes of each pixel in a part of the picture. */
export function meanOf(
  { width, height, rgb }: Picture,
  [left, top, right, bottom]: Box,
  value: (red: number, green: number, blue: number, at: number) => number,
): number {
  let [sum, count] = [0, 0];
  for (let y = Math.floor(top * height); y < Math.ceil(bottom * height); y++) {
    for (let x = Math.floor(left * width); x < Math.ceil(right * width); x++) {
      const at = (y * width + x) * 3;
      sum += value(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0, at);
      count++;
    }
  }
  return sum / count;
}

export function brightness(picture: Picture, box: Box = WHOLE): number {
  return meanOf(picture, box, (red, green, blue) => 0.299 * red + 0.587 * green + 0.114 * blue);
}

/** Mean difference of two pictures, in values from 0 to 255. */
export function difference(one: Picture, other: Picture, box: Box = WHOLE): number {
  const apart = (value: number, at: number): number => Math.abs(value - (other.rgb[at] ?? 0));
  return meanOf(
    one,
    box,
    (red, green, blue, at) => (apart(red, at) + apart(green, at + 1) + apart(blue, at + 2)) / 3,
  );
}

/** How much neighboring pixels differ. */
export function texture(picture: Picture, box: Box = WHOLE): number {
  return meanOf(picture, box, (_, green, __, at) => Math.abs(green - (picture.rgb[at + 4] ?? green)));
}
