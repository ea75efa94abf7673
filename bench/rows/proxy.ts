import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer, temporaryFolder } from '@atelier/testing';

import type { RenderWork } from '../drivers/render.ts';
import type { MeasuredVideos } from '../drivers/videos.ts';
import { httpLoad, UNIQUE } from '../http-load.ts';
import { inProcess } from '../in-process.ts';
import { photo } from '../photo.ts';
import type { Bench, Load, Row, Sample, Target } from '../row.ts';
import { startCloud } from '../seed-cloud.ts';

/** Enough that nobody reaches the bound of tasks under way. */
const CREATORS = 1000;
const CREATE_WARM_UP_SECONDS = 5;
const RENDER_DEADLINE_MS = 180_000;
const VIDEOS_DEADLINE_MS = 400_000;
const FAITHFUL = '/proxy/imagevendor/v1/ai/skin-enhancer/faithful';

/** Generation: taking tasks in, and the renderers of this machine. */
export const rows: readonly Row[] = [
  { name: 'proxy-create', bar: 1 / 1.5, prepare: prepareCreate },
  renderer('skin', 1 / 8),
  renderer('relight', 1 / 12),
  {
    name: 'proxy-video',
    unit: 'ms',
    bar: 10_000,
    measure: async (bench) => (await measureVideos(bench)).slowestMs,
  },
  {
    name: 'proxy-video-reads-p99',
    unit: 'ms',
    bar: 30,
    measure: async (bench) => (await measureVideos(bench)).readsP99Ms,
  },
];

/** On a server that renders nothing. */
async function prepareCreate(bench: Bench): Promise<{ ours: Load; bare: Load }> {
  const environment = { ATELIER_RENDERERS: '0', ATELIER_TASKS_PER_USER: '1000' };
  const { server, keys } = await startCloud(bench, { users: CREATORS, environment });
  const body = JSON.stringify({ image: await uniquePhoto(), sharpen: 10 });
  const load = (target: Target, path: string, stored: string): Load => {
    const create = httpLoad(target, { path, body, keys, driver: 'creates' });
    return async (seconds) => {
      const sample = await create(seconds);
      await emptyStore(stored);
      return sample;
    };
  };
  const ours = load({ url: server.url, pid: server.process.pid }, FAITHFUL, join(server.dataFolder, 'tasks'));
  // The runtime compiles what it sees often.
  await ours(CREATE_WARM_UP_SECONDS);
  return { ours, bare: load(bench.bare, '/store', bench.bare.folder) };
}

/** Some 500 kB as base64, with a comment that the driver changes from one request to the next. */
async function uniquePhoto(): Promise<string> {
  const picture = await photo({ edge: 1400, quality: 90 });
  const payload = Buffer.from(UNIQUE, 'base64');
  // After the mark of the beginning; together six bytes, so that base64 has the payload in signs of its own.
  const comment = Buffer.from([0xff, 0xfe, 0, payload.length + 2, ...payload]);
  return Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]).toString('base64');
}

/** Hundreds of megabytes come with each round. */
async function emptyStore(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'tmp') await rm(join(folder, name), { recursive: true });
  }
}

function renderer(work: 'skin' | 'relight', bar: number): Row {
  return {
    name: `proxy-${work}`,
    bar,
    async prepare({ cleanUp }) {
      const { path: folder } = cleanUp.use(await temporaryFolder());
      await writeFile(join(folder, 'photo.jpg'), await photo({ edge: 2048, quality: 90 }));
      const load = (side: RenderWork['work']) => async (seconds: number) =>
        await inProcess<Sample>('render', { work: side, folder, seconds }, RENDER_DEADLINE_MS);
      return { ours: load(work), bare: load('sharp') };
    },
  };
}

let videos: Promise<MeasuredVideos> | undefined;

/** On a server of its own with its usual settings; measured once for both rows. */
async function measureVideos({ engine, cleanUp }: Bench): Promise<MeasuredVideos> {
  videos ??= (async () => {
    const server = cleanUp.use(await startServer({ engine }));
    const drive = { url: server.url, key: server.admin.api_key };
    return await inProcess<MeasuredVideos>('videos', drive, VIDEOS_DEADLINE_MS);
  })();
  return await videos;
}
