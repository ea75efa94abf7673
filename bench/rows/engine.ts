import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Graph } from '@atelier/engine';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';

import type { EngineWork } from '../drivers/engine.ts';
import { inProcess } from '../in-process.ts';
import type { Bench, Row, Sample } from '../row.ts';

const DEADLINE_MS = 120_000;
const PHOTO_EDGE = 2048;
/** One float picture of 4096 × 4096 with three channels. */
const FLOAT_IMAGE_MB = 192;

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const graph = (nodes: Graph, runners = 1): EngineWork => ({ kind: 'graph', graph: nodes, runners });

const HALF: Graph = {
  1: node('LoadImage', { image: 'photo.jpg' }),
  2: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  3: node('SaveImage', { images: ['2', 0], filename_prefix: 'half' }),
};

const POINTWISE: Graph = {
  1: node('BenchSource', {}),
  2: node('ImageInvert', { image: ['1', 0] }),
  3: node('AdjustBrightness', { images: ['2', 0], factor: 1.1 }),
  4: node('AdjustContrast', { images: ['3', 0], factor: 1.2 }),
  5: node('NormalizeImages', { images: ['4', 0], mean: 0.4, std: 0.6 }),
  6: node('ImageInvert', { image: ['5', 0] }),
  7: node('BenchSink', { image: ['6', 0] }),
};

const HEAVY: Graph = {
  1: node('BenchSource', {}),
  2: node('ImageBlur', { image: ['1', 0], blur_radius: 4, sigma: 1 }),
  3: node('ImageScaleBy', { image: ['2', 0], upscale_method: 'bicubic', scale_by: 1.5 }),
  4: node('ImageSharpen', { image: ['3', 0], sharpen_radius: 2, sigma: 1, alpha: 0.5 }),
  5: node('ImageScaleBy', { image: ['4', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  6: node('BenchSink', { image: ['5', 0] }),
};

/** Ten nodes over 16 megapixels. */
const LARGE: Graph = {
  1: node('EmptyImage', { width: 4096, height: 4096, batch_size: 1, color: 0x336699 }),
  2: node('ImageInvert', { image: ['1', 0] }),
  3: node('AdjustBrightness', { images: ['2', 0], factor: 1.1 }),
  4: node('AdjustContrast', { images: ['3', 0], factor: 1.2 }),
  5: node('ImageBlur', { image: ['4', 0], blur_radius: 1, sigma: 1 }),
  6: node('ImageFlip', { image: ['5', 0], flip_method: 'x-axis: vertically' }),
  7: node('NormalizeImages', { images: ['6', 0], mean: 0.1, std: 0.9 }),
  8: node('ImageInvert', { image: ['7', 0] }),
  9: node('ImageScaleBy', { image: ['8', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  10: node('PreviewImage', { images: ['9', 0] }),
};

/** Graphs on the engine, against the floor of the same machine. */
export const rows: readonly Row[] = [
  pair('workflow-lanczos', graph(HALF), { kind: 'half-by-sharp' }, 1 / 1.6),
  pair('workflow-pointwise', graph(POINTWISE), { kind: 'copies', count: 5 }, 1 / 6),
  pair('workflow-two-at-once', graph(HEAVY, 2), graph(HEAVY), 1.7),
  value('workflow-small-job', 'ms', 3, { kind: 'small-job' }),
  value('workflow-memory', 'MB', 4 * FLOAT_IMAGE_MB, { kind: 'memory', graph: LARGE }),
];

function pair(name: string, ours: EngineWork, bare: EngineWork, bar: number): Row {
  return {
    name,
    bar,
    async prepare(bench) {
      const folder = await prepareFolder(bench);
      const load = (work: EngineWork) => async (seconds: number) =>
        await inProcess<Sample>('engine', { ...work, seconds, folder }, DEADLINE_MS);
      return { ours: load(ours), bare: load(bare) };
    },
  };
}

function value(name: string, unit: 'ms' | 'MB', bar: number, work: EngineWork): Row {
  return {
    name,
    unit,
    bar,
    async measure(bench) {
      const input = { ...work, seconds: bench.seconds, folder: await prepareFolder(bench) };
      return (await inProcess<{ value: number }>('engine', input, DEADLINE_MS)).value;
    },
  };
}

async function prepareFolder({ cleanUp }: Bench): Promise<string> {
  const { path: folder } = cleanUp.use(await temporaryFolder());
  for (const name of ['input', 'output', 'temp']) await mkdir(join(folder, name));
  await sharp(softShapes(), { raw: { width: PHOTO_EDGE, height: PHOTO_EDGE, channels: 3 } })
    .jpeg({ quality: 90 })
    .toFile(join(folder, 'input', 'photo.jpg'));
  return folder;
}

/** With a little grain, so that they compress about as a photograph does. */
function softShapes(): Uint8Array {
  const pixels = new Uint8Array(PHOTO_EDGE * PHOTO_EDGE * 3);
  let state = 1;
  for (let y = 0, at = 0; y < PHOTO_EDGE; y += 1) {
    for (let x = 0; x < PHOTO_EDGE; x += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const grain = (state >>> 24) / 16;
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        pixels[at] = 110 + 70 * Math.sin(x / (90 + channel * 30)) * Math.cos(y / (70 + channel * 20)) + grain;
      }
    }
  }
  return pixels;
}
