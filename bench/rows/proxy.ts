import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';

import { createRenderers, PLAIN_RELIGHT } from '../../packages/renderers/src/index.ts';
import { inChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { httpLoad, UNIQUE } from '../http-load.ts';
import { percentile, repeat } from '../measure.ts';
import { portrait } from '../photo.ts';
import { type Bench, type MakeLoad, type Row, type Sample, type Target, valueRow } from '../row.ts';
import { startCloud } from '../seed-cloud.ts';
import { bareServer, shared, startOurs } from '../servers.ts';

/** Enough that no account reaches the limit of tasks under way. */
const CREATORS = 1000;
const WARM_UP_SECONDS = 5;
/** Scenes that have little in common; the first is also the first that its thread renders. */
const SCENES = [
  'a calm sea at sunset, waves and gulls, a boat on the horizon',
  'snow falls on dark mountains under northern lights',
  'mountains above a lake at night, aurora and rain',
];
const READS_PER_SECOND = 50;

/** Generation: creating tasks, and the renderers of this machine. */
export const rows: readonly Row[] = [
  { name: 'proxy-create', bar: 1 / 1.5, ours: createTasks, bare: storePictures },
  { name: 'proxy-skin', bar: 1 / 8, ours: render('skin'), bare: render('sharp') },
  { name: 'proxy-relight', bar: 1 / 12, ours: render('relight'), bare: render('sharp') },
  valueRow('proxy-video', 'ms', 10_000, async (bench) => (await measureVideos(bench)).slowestMs),
  valueRow('proxy-video-reads-p99', 'ms', 30, async (bench) => (await measureVideos(bench)).readsP99Ms),
];

/** On a server that renders nothing. */
async function createTasks(bench: Bench) {
  const environment = { ATELIER_RENDERERS: '0', ATELIER_TASKS_PER_USER: '1000' };
  const server = await startCloud(bench, CREATORS, 0, environment);
  const path = '/proxy/imagevendor/v1/ai/skin-enhancer/faithful';
  const load = await create(server, path, join(server.dataFolder, 'tasks'), server.keys);
  // The runtime compiles what it sees often.
  await load(WARM_UP_SECONDS);
  return load;
}

async function storePictures(bench: Bench) {
  const server = await bareServer(bench);
  return await create(server, '/store', server.folder, ['']);
}

async function create(target: Target, path: string, store: string, keys: readonly string[]) {
  const body = JSON.stringify({ image: await uniquePortrait(), sharpen: 10 });
  const load = httpLoad(target, { paths: [path], body, keys });
  return async (seconds: number) => {
    const sample = await load(seconds);
    // Hundreds of megabytes come with each round.
    for (const name of await readdir(store)) {
      if (name !== 'tmp') await rm(join(store, name), { recursive: true });
    }
    return sample;
  };
}

/** As base64, with other bytes after its end in each request: no server stores the same bytes twice. */
async function uniquePortrait(): Promise<string> {
  const picture = await portrait(1400);
  // To whole groups of three bytes, so that base64 has no padding.
  const padding = Buffer.alloc(3 - (picture.length % 3));
  return `${Buffer.concat([picture, padding]).toString('base64')}${UNIQUE}`;
}

interface Rendering {
  readonly work: 'sharp' | 'skin' | 'relight';
  readonly folder: string;
  readonly seconds: number;
}

function render(work: Rendering['work']): MakeLoad {
  return async ({ cleanUp }) => {
    const { path: folder } = cleanUp.use(await temporaryFolder());
    await writeFile(join(folder, 'photo.jpg'), await portrait(2048));
    return async (seconds) => await inChild(import.meta.filename, renderPhoto, { work, folder, seconds });
  };
}

export async function renderPhoto({ work, folder, seconds }: Rendering): Promise<Sample> {
  const files = { input: join(folder, 'photo.jpg'), output: join(folder, 'out.jpg') };
  const skin = { mode: 'faithful', sharpen: 40, smartGrain: 30, skinDetail: 80, seed: 7 } as const;
  const prompt = 'golden hour from the left, (rim light:1.2)';
  const relight = { ...PLAIN_RELIGHT, prompt, strength: 80, fixedGeneration: false };
  // In a thread, as the server has it.
  const renderers = createRenderers({ threads: 1 });
  const works = {
    skin: async () => await renderers.render({ kind: 'skin', ...files, settings: skin }),
    relight: async () => await renderers.render({ kind: 'relight', ...files, settings: relight }),
    // Reads and writes the picture as the renderers do, and does nothing in between.
    sharp: async () =>
      await sharp(files.input).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(files.output),
  };
  sharp.cache(false);
  sharp.concurrency(1);
  return await repeat(works[work], seconds);
}

/** On a server of its own with its usual settings. */
const measureVideos = shared(async (bench) => {
  const { url, admin } = await startOurs(bench);
  return await inChild(import.meta.filename, makeVideos, { url, key: admin.api_key });
});

/** One after another; meanwhile it reads how they stand at a steady rate, whether or not earlier reads were answered. */
export async function makeVideos({ url, key }: { url: string; key: string }) {
  const videos = `${url}/proxy/videovendor`;
  const videoMs: number[] = [];
  const readMs: number[] = [];
  for (const prompt of SCENES) {
    const start = performance.now();
    const body = { model: 'clipq3-pro', prompt, duration: 5, resolution: '720p', audio: true, seed: 7 };
    const call = { key, body: JSON.stringify(body) };
    const { task_id } = await httpCall<{ task_id: string }>(`${videos}/text2video`, call);
    const over = new AbortController();
    const read = async () => {
      const sentAt = performance.now();
      const { state } = await httpCall<{ state: string }>(`${videos}/tasks/${task_id}/creations`, { key });
      readMs.push(performance.now() - sentAt);
      if (state === 'failed') throw new Error('a video failed');
      if (state === 'success') over.abort();
    };
    const reads: Promise<void>[] = [];
    while (!over.signal.aborted) {
      reads.push(read());
      await wait(Math.max(0, start + (reads.length * 1000) / READS_PER_SECOND - performance.now()));
    }
    await Promise.all(reads);
    videoMs.push(performance.now() - start);
  }
  return { slowestMs: Math.max(...videoMs), readsP99Ms: percentile(readMs, 99) };
}
