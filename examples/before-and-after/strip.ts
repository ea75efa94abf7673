import { join } from 'node:path';
import type { Renderers } from '@atelier/renderers';
import sharp from 'sharp';

/** Where and how large pictures are made. */
export interface Studio {
  readonly folder: string;
  /** Pixels of the longer side. */
  readonly edge: number;
  /** Of a video. */
  readonly seconds: number;
  readonly render: Renderers['render'];
}

/** Pictures or videos that differ in one thing. */
export interface Strip {
  readonly title: string;
  readonly shots: readonly Shot[];
}

export interface Shot {
  readonly caption: string;
  /** A name in the studio's folder. */
  readonly file: string;
}

/** A file of that name, which may be any words and ends in an extension. */
export function fileOf({ folder }: Studio, name: string): { file: string; path: string } {
  const file = name.replaceAll(/[^\w.-]+/g, '-');
  return { file, path: join(folder, file) };
}

const PHOTOS = join(import.meta.dirname, '../../packages/renderers/test/fixtures');

/** A photograph, at the size of the studio at most. Its README there names source and license. */
export async function copyPhoto(studio: Studio, name: string): Promise<Shot> {
  const { file, path } = fileOf(studio, `${name}.jpg`);
  await sharp(join(PHOTOS, file))
    .resize({ width: studio.edge, height: studio.edge, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 95 })
    .toFile(path);
  return { caption: 'before', file };
}
