import { join } from 'node:path';
import type { Renderers } from '@atelier/renderers';

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
