import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { SkinSettings } from '../../render-request.ts';
import type { Portrait } from '../../samples/portrait.ts';
import { renderSkin } from '../render-skin.ts';

export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const PLAIN: SkinSettings = { mode: 'faithful', sharpen: 0, smartGrain: 0, skinDetail: 0, seed: 1 };

/** Calls with a folder that is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'skin-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The picture after the enhancer; what is not set is 0. */
export async function rendered(picture: Samples, settings: Partial<SkinSettings>): Promise<Uint8Array> {
  return await inFolder(async (folder) => {
    const [input, output] = [join(folder, 'in.png'), join(folder, 'out.png')];
    const { width, height, rgb } = picture;
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toFile(input);
    await renderSkin({ kind: 'skin', input, output, settings: { ...PLAIN, ...settings } });
    return new Uint8Array(await sharp(output).raw().toBuffer());
  });
}

export function lumaAt(rgb: Uint8Array, at: number): number {
  return 0.299 * (rgb[at * 3] ?? 0) + 0.587 * (rgb[at * 3 + 1] ?? 0) + 0.114 * (rgb[at * 3 + 2] ?? 0);
}

export function meanOn({ parts }: Portrait, part: number, value: (at: number) => number): number {
  let [sum, count] = [0, 0];
  parts.forEach((found, at) => {
    if (found !== part) return;
    sum += value(at);
    count++;
  });
  return sum / count;
}

/** How much neighbours differ on the mean: what the finest detail amounts to. */
export function fineDetail(person: Portrait, rgb: Uint8Array, part: number): number {
  const { width } = person;
  return meanOn(person, part, (at) => {
    const around =
      lumaAt(rgb, at - 1) + lumaAt(rgb, at + 1) + lumaAt(rgb, at - width) + lumaAt(rgb, at + width);
    return Math.abs(lumaAt(rgb, at) - around / 4);
  });
}

export function meanDifference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}
