/** A value of an engine row, in a process of its own: `inProcess('engine-value.ts', { what, folder })`. */
import { join } from 'node:path';
import { createArena, createRunner, type Graph } from '@atelier/engine';
import { encodePng } from '@atelier/nodes';

import { answer, inputOf } from './in-process.ts';
import { median } from './median.ts';

export interface EngineValue {
  readonly what: 'small-job' | 'memory';
  readonly folder: string;
}

const { what, folder } = await inputOf<EngineValue>();
const folders = { input: join(folder, 'input'), output: join(folder, 'output'), temp: join(folder, 'temp') };
const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

answer({ value: what === 'memory' ? await peakMegabytes() : await smallJobMs() });

/** What a job costs beyond the encoding of its picture. */
async function smallJobMs(): Promise<number> {
  const runner = createRunner({ packs: { modules: [import.meta.resolve('@atelier/nodes')] } });
  const jobs: number[] = [];
  const encodings: number[] = [];
  const pixels = new Float32Array(64 * 64 * 3);
  const { memory } = createArena({ limitBytes: 2 ** 30, spareBytes: 2 ** 20 }).lend();
  const shape = { width: 64, height: 64, channels: 3 };
  for (let color = 0; color < 300; color += 1) {
    const graph: Graph = {
      1: node('EmptyImage', { width: 64, height: 64, batch_size: 1, color }),
      2: node('PreviewImage', { images: ['1', 0] }),
    };
    const start = performance.now();
    const { status } = await runner.run({ jobId: `job-${color}`, graph, targets: ['2'], folders });
    if (status !== 'success') throw new Error(`the job ended with ${status}`);
    jobs.push(performance.now() - start);
    const encoding = performance.now();
    await encodePng(pixels, shape, { level: 1 }, { memory, checkpoint: () => {} });
    encodings.push(performance.now() - encoding);
  }
  await runner.close();
  return median(jobs.slice(50)) - median(encodings.slice(50));
}

/** The most that the whole process ever held, for a chain of ten nodes over 16 megapixels. */
async function peakMegabytes(): Promise<number> {
  const runner = createRunner({ packs: { modules: [import.meta.resolve('@atelier/nodes')] } });
  const graph: Graph = {
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
  const { status, error } = await runner.run({ jobId: 'chain', graph, targets: ['10'], folders });
  if (status !== 'success') throw new Error(`the job ended with ${status}: ${error?.exception_message}`);
  await runner.close();
  return process.resourceUsage().maxRSS / 1024;
}
