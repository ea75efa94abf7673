/** One side of a renderer's row, in a process of its own: `inProcess('render-work.ts', work)`. */
import { join } from 'node:path';
import sharp from 'sharp';

import { createRenderers, PLAIN_RELIGHT, type RenderRequest } from '../packages/renderers/src/index.ts';
import { answer, inputOf } from './in-process.ts';
import type { Sample } from './row.ts';
import { toSample } from './sample.ts';

export interface RenderWork {
  readonly seconds: number;
  readonly folder: string;
  readonly work: 'sharp' | 'skin' | 'relight';
}

const WARM_UPS = 3;
const MIN_RUNS = 3;

const { seconds, folder, work } = await inputOf<RenderWork>();
const input = join(folder, 'photo.jpg');
const output = join(folder, `${work}.jpg`);

const REQUESTS: Readonly<Record<'skin' | 'relight', RenderRequest>> = {
  skin: {
    kind: 'skin',
    input,
    output,
    settings: { mode: 'faithful', sharpen: 40, smartGrain: 30, skinDetail: 80, seed: 7 },
  },
  relight: {
    kind: 'relight',
    input,
    output,
    settings: {
      ...PLAIN_RELIGHT,
      prompt: 'golden hour from the left, (rim light:1.2)',
      strength: 80,
      fixedGeneration: false,
    },
  },
};

/** In a thread, as the server has it. */
async function render(request: RenderRequest): Promise<Sample> {
  const renderers = createRenderers({ threads: 1 });
  try {
    return await repeat(async () => await renderers.render(request));
  } finally {
    await renderers.close();
  }
}

/** Reads and writes the picture as the renderers do, and does nothing in between. */
async function recode(): Promise<Sample> {
  sharp.cache(false);
  sharp.concurrency(1);
  return await repeat(async () => {
    await sharp(input).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(output);
  });
}

async function repeat(once: () => Promise<void>): Promise<Sample> {
  for (let warm = 0; warm < WARM_UPS; warm += 1) await once();
  const times: number[] = [];
  const usage = process.cpuUsage();
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1000 || times.length < MIN_RUNS) {
    const start = performance.now();
    await once();
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(usage);
  return { ...toSample(times, performance.now() - begin), cpuMs: (user + system) / 1000 / times.length };
}

answer(work === 'sharp' ? await recode() : await render(REQUESTS[work]));
