import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Graph } from '@atelier/engine';
import sharp from 'sharp';

import type { EngineValue } from '../engine-value.ts';
import type { EngineWork } from '../engine-work.ts';
import { inProcess } from '../in-process.ts';
import type { Bench, Load, Row, Sample } from '../row.ts';

const PHOTO_EDGE = 2048;
const DEADLINE_MS = 120_000;
/** One float picture of 4096 × 4096 with three channels. */
const FLOAT_IMAGE_MB = 192;

type Side = DistributiveOmit<EngineWork, 'seconds' | 'folder'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const graph = (made: Graph, runners = 1): Side => ({ kind: 'graph', graph: made, runners });
const copies = (count: number): Side => ({ kind: 'copies', count });

const HALF = graph({
  1: node('LoadImage', { image: 'photo.jpg' }),
  2: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  3: node('SaveImage', { images: ['2', 0], filename_prefix: 'half' }),
});

const POINTWISE = graph({
  1: node('BenchSource', {}),
  2: node('ImageInvert', { image: ['1', 0] }),
  3: node('AdjustBrightness', { images: ['2', 0], factor: 1.1 }),
  4: node('AdjustContrast', { images: ['3', 0], factor: 1.2 }),
  5: node('NormalizeImages', { images: ['4', 0], mean: 0.4, std: 0.6 }),
  6: node('ImageInvert', { image: ['5', 0] }),
  7: node('BenchSink', { image: ['6', 0] }),
});

const HEAVY: Graph = {
  1: node('BenchSource', {}),
  2: node('ImageBlur', { image: ['1', 0], blur_radius: 4, sigma: 1 }),
  3: node('ImageScaleBy', { image: ['2', 0], upscale_method: 'bicubic', scale_by: 1.5 }),
  4: node('ImageSharpen', { image: ['3', 0], sharpen_radius: 2, sigma: 1, alpha: 0.5 }),
  5: node('ImageScaleBy', { image: ['4', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  6: node('BenchSink', { image: ['5', 0] }),
};

/** One node on 1 megapixel, against a copy of it. */
const KERNELS: Readonly<Record<string, Graph[string]>> = {
  blur: node('ImageBlur', { image: ['1', 0], blur_radius: 5, sigma: 1 }),
  bilinear: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'bilinear', scale_by: 0.5 }),
  bicubic: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'bicubic', scale_by: 0.5 }),
  area: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'area', scale_by: 0.5 }),
  lanczos: node('ImageScaleBy', { image: ['1', 0], upscale_method: 'lanczos', scale_by: 0.5 }),
  quantize: node('ImageQuantize', { image: ['1', 0], colors: 64, dither: 'floyd-steinberg' }),
  morphology: node('Morphology', { image: ['1', 0], operation: 'open', kernel_size: 9 }),
  noise: node('ImageAddNoise', { image: ['1', 0], seed: 1, strength: 0.5 }),
  flip: node('ImageFlip', { image: ['1', 0], flip_method: 'y-axis: horizontally' }),
};

/** Graphs on the engine, against the floor of the same machine. */
export const rows: readonly Row[] = [
  pair('workflow-lanczos', HALF, { kind: 'half-by-sharp' }, 1 / 1.6),
  pair('workflow-pointwise', POINTWISE, copies(5), 1 / 6),
  pair('workflow-two-at-once', graph(HEAVY, 2), graph(HEAVY), 1.7),
  value('workflow-small-job', 'ms', 3, 'small-job'),
  value('workflow-memory', 'MB', 4 * FLOAT_IMAGE_MB, 'memory'),
  ...Object.entries(KERNELS).map(([name, kernel]) =>
    pair(
      `kernel-${name}`,
      graph({ 1: node('BenchSource', {}), 2: kernel, 3: node('BenchSink', { image: ['2', 0] }) }),
      copies(1),
    ),
  ),
];

function pair(name: string, ours: Side, bare: Side, bar?: number): Row {
  return {
    kind: 'ratio',
    name,
    ...(bar === undefined ? {} : { bar }),
    async prepare(bench) {
      const folder = await prepareFolder(bench);
      const load =
        (side: Side): Load =>
        async (seconds) =>
          await inProcess<Sample>(
            'engine-work.ts',
            { ...side, seconds, folder },
            { deadlineMs: DEADLINE_MS },
          );
      return { ours: load(ours), bare: load(bare) };
    },
  };
}

function value(name: string, unit: 'ms' | 'MB', bar: number, what: EngineValue['what']): Row {
  return {
    kind: 'value',
    name,
    unit,
    bar,
    async measure(bench) {
      const folder = await prepareFolder(bench);
      const input: EngineValue = { what, folder };
      const answered = await inProcess<{ value: number }>('engine-value.ts', input, {
        deadlineMs: DEADLINE_MS,
      });
      return answered.value;
    },
  };
}

async function prepareFolder({ cleanUp }: Bench): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-engine-'));
  cleanUp.defer(async () => await rm(folder, { recursive: true, force: true }));
  for (const name of ['input', 'output', 'temp']) await mkdir(join(folder, name));
  await sharp(photo(), { raw: { width: PHOTO_EDGE, height: PHOTO_EDGE, channels: 3 } })
    .jpeg({ quality: 90 })
    .toFile(join(folder, 'input', 'photo.jpg'));
  return folder;
}

/** Soft shapes with a little grain, which compress about as a photograph does. */
function photo(): Uint8Array {
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
