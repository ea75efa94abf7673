import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createArena, createRunner, type Graph, type Runner } from '@atelier/engine';
import { encodePng } from '@atelier/nodes';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';

import { inChild } from '../child.ts';
import { repeat } from '../measure.ts';
import { softShapes } from '../photo.ts';
import { megabytesOf } from '../process-status.ts';
import { type Bench, type MakeLoad, type Row, type Sample, valueRow } from '../row.ts';
import { shared } from '../servers.ts';

const EDGE = 2048;
const modules = [import.meta.resolve('@atelier/nodes'), import.meta.resolve('../engine-pack.ts')];

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

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

/** Ten nodes over 16 megapixels: one float picture has 192 MB. */
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
  { name: 'workflow-lanczos', bar: 1 / 1.6, ours: load(runGraph, HALF), bare: load(halveBySharp) },
  { name: 'workflow-pointwise', bar: 1 / 6, ours: load(runGraph, POINTWISE), bare: load(copyArrays) },
  { name: 'workflow-two-at-once', bar: 1.7, ours: load(runGraph, HEAVY, 2), bare: load(runGraph, HEAVY) },
  valueRow('workflow-small-job', 'ms', 3, async (bench) => await run(bench, smallJobMs)),
  valueRow('workflow-memory', 'MB', 768, async (bench) => await run(bench, peakMegabytes, LARGE)),
];

interface Input {
  readonly folder: string;
  readonly seconds: number;
  readonly graph: Graph;
  readonly runners: number;
}

function load(work: (input: Input) => Promise<Sample>, graph?: Graph, runners?: number): MakeLoad {
  return async (bench) => async (seconds) => await run({ ...bench, seconds }, work, graph, runners);
}

async function run<T>(bench: Bench, work: (input: Input) => Promise<T>, graph: Graph = {}, runners = 1) {
  const input = { folder: await photoFolder(bench), seconds: bench.seconds, graph, runners };
  return await inChild(import.meta.filename, work, input);
}

const photoFolder = shared(async ({ cleanUp }) => {
  const { path: folder } = cleanUp.use(await temporaryFolder());
  for (const name of ['output', 'temp']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'photo.jpg'), await softShapes(EDGE));
  return folder;
});

async function runJob(runner: Runner, graph: Graph, folder: string): Promise<void> {
  const folders = { input: folder, output: join(folder, 'output'), temp: join(folder, 'temp') };
  const targets = Object.keys(graph).slice(-1);
  const { status, error } = await runner.run({ jobId: 'bench', graph, targets, folders });
  if (status !== 'success') throw new Error(`the job ended with ${status}: ${error?.exception_message}`);
}

/** In so many runners at once; the rates add up. */
export async function runGraph({ folder, seconds, graph, runners }: Input): Promise<Sample> {
  const inRunner = async () => {
    const runner = createRunner({ packs: { modules }, cacheBytes: 0 });
    return await repeat(async () => await runJob(runner, graph, folder), seconds);
  };
  const samples = await Promise.all(Array.from({ length: runners }, inRunner));
  const rate = samples.reduce((sum, sample) => sum + sample.rate, 0);
  // Runners have processes of their own, whose computing time is not known here.
  return { ...(samples[0] as Sample), rate, cpuMs: Number.NaN };
}

export async function copyArrays({ seconds }: Input): Promise<Sample> {
  const source = new Float32Array(1024 * 1024 * 3).fill(0.5);
  const copies = Array.from({ length: 5 }, () => new Float32Array(source.length));
  return await repeat(async () => {
    for (const copy of copies) copy.set(source);
  }, seconds);
}

/** What LoadImage, ImageScaleBy and SaveImage do together. */
export async function halveBySharp({ folder, seconds }: Input): Promise<Sample> {
  return await repeat(async () => {
    const photo = sharp(await readFile(join(folder, 'photo.jpg')));
    const half = photo.resize(EDGE / 2, EDGE / 2, { kernel: 'lanczos3' });
    await writeFile(join(folder, 'bare.png'), await half.png({ compressionLevel: 4 }).toBuffer());
  }, seconds);
}

/** What a job costs beyond the encoding of its picture. */
export async function smallJobMs({ folder, seconds }: Input): Promise<number> {
  const runner = createRunner({ packs: { modules } });
  let color = 0;
  const job = await repeat(async () => {
    color += 1;
    const source = node('EmptyImage', { width: 64, height: 64, batch_size: 1, color });
    await runJob(runner, { 1: source, 2: node('PreviewImage', { images: ['1', 0] }) }, folder);
  }, seconds);
  const { memory } = createArena({ limitBytes: 2 ** 30, spareBytes: 2 ** 20 }).lend();
  const pixels = new Float32Array(64 * 64 * 3);
  const shape = { width: 64, height: 64, channels: 3 };
  const encode = async () => await encodePng(pixels, shape, { level: 1 }, { memory, checkpoint: () => {} });
  return job.p50Ms - (await repeat(encode, seconds)).p50Ms;
}

/** The most that the process of the runner ever held. */
export async function peakMegabytes({ folder, graph }: Input): Promise<number> {
  await runJob(createRunner({ packs: { modules } }), graph, folder);
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return await megabytesOf(Number.parseInt(children, 10), 'VmHWM');
}
