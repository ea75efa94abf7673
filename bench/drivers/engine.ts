/** One measurement of the engine without a server. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createArena, createRunner, type Graph, type Runner } from '@atelier/engine';
import { encodePng } from '@atelier/nodes';
import sharp from 'sharp';

import { answer, inputOf } from '../in-process.ts';
import { median, repeat } from '../measure.ts';
import type { Sample } from '../row.ts';

export type EngineWork =
  | { readonly kind: 'graph'; readonly graph: Graph; readonly runners: number }
  | { readonly kind: 'copies'; readonly count: number }
  | { readonly kind: 'half-by-sharp' }
  | { readonly kind: 'small-job' }
  | { readonly kind: 'memory'; readonly graph: Graph };

const FLOATS = 1024 * 1024 * 3;
const WARM_UPS = 3;

const { folder, seconds, ...work } = await inputOf<EngineWork & { folder: string; seconds: number }>();
const folders = { input: join(folder, 'input'), output: join(folder, 'output'), temp: join(folder, 'temp') };
const modules = [import.meta.resolve('@atelier/nodes'), new URL('./engine-pack.ts', import.meta.url).href];

async function runJob(runner: Runner, graph: Graph): Promise<void> {
  const targets = Object.keys(graph).slice(-1);
  const { status, error } = await runner.run({ jobId: 'bench', graph, targets, folders });
  if (status !== 'success') throw new Error(`the job ended with ${status}: ${error?.exception_message}`);
}

/** The first runs load packs and compile. */
async function repeatWarm(once: () => Promise<unknown> | undefined): Promise<Sample> {
  for (let warm = 0; warm < WARM_UPS; warm += 1) await once();
  return await repeat(once, { seconds, least: 3 });
}

/** In so many threads at once; the rates add up. */
async function runGraphs(graph: Graph, count: number): Promise<Sample> {
  const runners = Array.from({ length: count }, () => createRunner({ packs: { modules }, cacheBytes: 0 }));
  const samples = await Promise.all(
    runners.map(async (runner) => await repeatWarm(async () => await runJob(runner, graph))),
  );
  await Promise.all(runners.map(async (runner) => await runner.close()));
  const rate = samples.reduce((sum, sample) => sum + sample.rate, 0);
  return { ...(samples[0] as Sample), rate };
}

async function copy(count: number): Promise<Sample> {
  const source = new Float32Array(FLOATS).fill(0.5);
  const targets = Array.from({ length: count }, () => new Float32Array(FLOATS));
  return await repeatWarm(() => {
    for (const target of targets) target.set(source);
    return undefined;
  });
}

/** What LoadImage, ImageScaleBy and SaveImage do together. */
async function halveBySharp(): Promise<Sample> {
  const source = join(folders.input, 'photo.jpg');
  const { width, height } = await sharp(await readFile(source)).metadata();
  return await repeatWarm(async () => {
    const picture = sharp(await readFile(source)).resize(width / 2, height / 2, { kernel: 'lanczos3' });
    await writeFile(join(folders.output, 'bare.png'), await picture.png({ compressionLevel: 4 }).toBuffer());
  });
}

/** What a job costs beyond the encoding of its picture. */
async function smallJobMs(): Promise<number> {
  const runner = createRunner({ packs: { modules } });
  const { memory } = createArena({ limitBytes: 2 ** 30, spareBytes: 2 ** 20 }).lend();
  const pixels = new Float32Array(64 * 64 * 3);
  const shape = { width: 64, height: 64, channels: 3 };
  const jobs: number[] = [];
  const encodings: number[] = [];
  for (let color = 0; color < 300; color += 1) {
    const start = performance.now();
    await runJob(runner, {
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    });
    const encoding = performance.now();
    jobs.push(encoding - start);
    await encodePng(pixels, shape, { level: 1 }, { memory, checkpoint: () => {} });
    encodings.push(performance.now() - encoding);
  }
  await runner.close();
  return median(jobs.slice(50)) - median(encodings.slice(50));
}

/** The most that the whole process ever held. */
async function peakMegabytes(graph: Graph): Promise<number> {
  const runner = createRunner({ packs: { modules } });
  await runJob(runner, graph);
  await runner.close();
  return process.resourceUsage().maxRSS / 1024;
}

if (work.kind === 'graph') answer(await runGraphs(work.graph, work.runners));
else if (work.kind === 'copies') answer(await copy(work.count));
else if (work.kind === 'half-by-sharp') answer(await halveBySharp());
else answer({ value: work.kind === 'memory' ? await peakMegabytes(work.graph) : await smallJobMs() });
