/** One side of an engine row, in a process of its own: `inProcess('engine-work.ts', { work, seconds, folder })`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunner, type Graph, type Runner } from '@atelier/engine';
import sharp from 'sharp';

import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

export interface EngineWork {
  readonly work: keyof typeof WORKS;
  readonly seconds: number;
  readonly folder: string;
}

const packs = {
  modules: [import.meta.resolve('@atelier/nodes'), new URL('./engine-pack.ts', import.meta.url).href],
};

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

const LANCZOS: Graph = {
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

const WORKS = {
  lanczos: async ({ seconds, folder }: EngineWork) =>
    await withRunners(
      1,
      folder,
      async ([runner]) => await repeat(seconds, async () => await runner?.(LANCZOS)),
    ),

  lanczosBare: async ({ seconds, folder }: EngineWork) => {
    const source = join(folder, 'input', 'photo.jpg');
    const { width = 0, height = 0 } = await sharp(await readFile(source)).metadata();
    let count = 0;
    return await repeat(seconds, async () => {
      count += 1;
      const bytes = await sharp(await readFile(source))
        .resize(width / 2, height / 2, { kernel: 'lanczos3' })
        .png({ compressionLevel: 4 })
        .toBuffer();
      await writeFile(join(folder, 'output', `bare_${count}.png`), bytes);
    });
  },

  pointwise: async ({ seconds, folder }: EngineWork) =>
    await withRunners(
      1,
      folder,
      async ([runner]) => await repeat(seconds, async () => await runner?.(POINTWISE)),
    ),

  pointwiseBare: async ({ seconds }: EngineWork) => {
    const source = new Float32Array(1024 * 1024 * 3).fill(0.5);
    const targets = Array.from({ length: 5 }, () => new Float32Array(source.length));
    return await repeat(seconds, () => {
      for (const target of targets) target.set(source);
    });
  },

  /** Two jobs at a time, each counted. */
  sideBySide: async ({ seconds, folder }: EngineWork) =>
    await withRunners(2, folder, async (runners) => {
      const samples = await Promise.all(
        runners.map(async (run) => await repeat(seconds, async () => await run(HEAVY))),
      );
      const rate = samples.reduce((sum, sample) => sum + sample.rate, 0);
      return { ...(samples[0] ?? toSample([1], 1)), rate };
    }),

  oneByOne: async ({ seconds, folder }: EngineWork) =>
    await withRunners(
      1,
      folder,
      async ([runner]) => await repeat(seconds, async () => await runner?.(HEAVY)),
    ),
} as const;

async function withRunners<T>(
  count: number,
  folder: string,
  use: (runs: readonly ((graph: Graph) => Promise<void>)[]) => Promise<T>,
): Promise<T> {
  const folders = {
    input: join(folder, 'input'),
    output: join(folder, 'output'),
    temp: join(folder, 'temp'),
  };
  const runners: Runner[] = Array.from({ length: count }, () => createRunner({ packs, cacheBytes: 0 }));
  const runs = runners.map((runner) => async (graph: Graph) => {
    const targets = Object.keys(graph).slice(-1);
    const outcome = await runner.run({ jobId: 'bench', graph, targets, folders });
    if (outcome.status !== 'success') throw new Error(`the job failed: ${outcome.error?.exception_message}`);
  });
  try {
    return await use(runs);
  } finally {
    await Promise.all(runners.map(async (runner) => await runner.close()));
  }
}

async function repeat(seconds: number, work: () => Promise<void> | void) {
  // The first runs load packs and compile.
  for (let warm = 0; warm < 3; warm += 1) await work();
  const times: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1000 || times.length < 3) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return toSample(times, performance.now() - begin);
}

const input = await inputOf<EngineWork>();
answer(await WORKS[input.work](input));
