/** One side of an engine row, in a process of its own: `inProcess('engine-work.ts', work)`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunner, type Graph, type Runner } from '@atelier/engine';
import sharp from 'sharp';

import { answer, inputOf } from './in-process.ts';
import type { Sample } from './row.ts';
import { toSample } from './sample.ts';

export type EngineWork = { readonly seconds: number; readonly folder: string } & (
  | { readonly kind: 'graph'; readonly graph: Graph; readonly runners: number }
  | { readonly kind: 'copies'; readonly count: number }
  | { readonly kind: 'half-by-sharp' }
);

const packs = {
  modules: [import.meta.resolve('@atelier/nodes'), new URL('./engine-pack.ts', import.meta.url).href],
};
const FLOATS = 1024 * 1024 * 3;

/** Runs the graph over and over, in so many threads at once; the rates add up. */
async function runGraphs(
  graph: Graph,
  { runners: count, seconds, folder }: EngineWork & { readonly kind: 'graph' },
) {
  const folders = {
    input: join(folder, 'input'),
    output: join(folder, 'output'),
    temp: join(folder, 'temp'),
  };
  const runners: Runner[] = Array.from({ length: count }, () => createRunner({ packs, cacheBytes: 0 }));
  const samples = await Promise.all(
    runners.map(
      async (runner) =>
        await repeat(seconds, async () => {
          const targets = Object.keys(graph).slice(-1);
          const { status, error } = await runner.run({ jobId: 'bench', graph, targets, folders });
          if (status !== 'success') throw new Error(`the job failed: ${error?.exception_message}`);
        }),
    ),
  );
  await Promise.all(runners.map(async (runner) => await runner.close()));
  const [first = toSample([1], 1)] = samples;
  return { ...first, rate: samples.reduce((sum, { rate }) => sum + rate, 0) };
}

async function copy(count: number, seconds: number): Promise<Sample> {
  const source = new Float32Array(FLOATS).fill(0.5);
  const targets = Array.from({ length: count }, () => new Float32Array(FLOATS));
  return await repeat(seconds, () => {
    for (const target of targets) target.set(source);
  });
}

/** What LoadImage, ImageScaleBy and SaveImage do together. */
async function halve({ seconds, folder }: EngineWork): Promise<Sample> {
  const source = join(folder, 'input', 'photo.jpg');
  const { width, height } = await sharp(await readFile(source)).metadata();
  let count = 0;
  return await repeat(seconds, async () => {
    count += 1;
    const bytes = await sharp(await readFile(source))
      .resize(width / 2, height / 2, { kernel: 'lanczos3' })
      .png({ compressionLevel: 4 })
      .toBuffer();
    await writeFile(join(folder, 'output', `bare_${count}.png`), bytes);
  });
}

async function repeat(seconds: number, work: () => Promise<void> | void): Promise<Sample> {
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

const work = await inputOf<EngineWork>();
if (work.kind === 'graph') answer(await runGraphs(work.graph, work));
else if (work.kind === 'copies') answer(await copy(work.count, work.seconds));
else answer(await halve(work));
