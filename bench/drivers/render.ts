/** One side of a renderer's row. */
import { join } from 'node:path';
import sharp from 'sharp';

import { createRenderers, PLAIN_RELIGHT, type RenderRequest } from '../../packages/renderers/src/index.ts';
import { answer, inputOf } from '../in-process.ts';
import { repeat } from '../measure.ts';

export interface RenderWork {
  readonly seconds: number;
  readonly folder: string;
  readonly work: 'sharp' | 'skin' | 'relight';
}

const WARM_UPS = 3;

const { seconds, folder, work } = await inputOf<RenderWork>();
const input = join(folder, 'photo.jpg');
const output = join(folder, `${work}.jpg`);
const prompt = 'golden hour from the left, (rim light:1.2)';

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
    settings: { ...PLAIN_RELIGHT, prompt, strength: 80, fixedGeneration: false },
  },
};

/** Reads and writes the picture as the renderers do, and does nothing in between. */
async function recode(): Promise<void> {
  await sharp(input).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(output);
}

sharp.cache(false);
sharp.concurrency(1);
// In a thread, as the server has it.
const renderers = createRenderers({ threads: 1 });
const once = work === 'sharp' ? recode : async () => await renderers.render(REQUESTS[work]);
for (let warm = 0; warm < WARM_UPS; warm += 1) await once();
const usage = process.cpuUsage();
const sample = await repeat(once, { seconds, least: 3 });
const { user, system } = process.cpuUsage(usage);
await renderers.close();
answer({ ...sample, cpuMs: (user + system) / 1000 / sample.count });
