import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@atelier/testing';

import { drainWebhooks } from '../drain-webhooks.ts';
import { CONNECTIONS, runDriver, UNIQUE } from '../http-load.ts';
import { inProcess } from '../in-process.ts';
import { measureVideos } from '../measure-videos.ts';
import { photo } from '../photo.ts';
import type { RenderWork } from '../render-work.ts';
import type { Bench, Load, Row, Sample, Sides, Target } from '../row.ts';
import { startCloud } from '../seed-cloud.ts';

/** Enough that nobody reaches the bound of tasks under way. */
const CREATORS = 1000;
const CREATE_WARM_UP_SECONDS = 5;
const RENDER_DEADLINE_MS = 180_000;
const FAITHFUL = '/proxy/imagevendor/v1/ai/skin-enhancer/faithful';

/** Generation: taking tasks in, the renderers of this machine, and telling others of what happened. */
export const rows: readonly Row[] = [
  { kind: 'ratio', name: 'proxy-create', bar: 1 / 1.5, prepare: prepareCreate },
  renderer('skin', 1 / 8),
  renderer('relight', 1 / 12),
  {
    kind: 'value',
    name: 'proxy-video',
    unit: 'ms',
    bar: 10_000,
    measure: async (bench) => Math.max(...(await measureVideos(bench)).videosMs),
  },
  {
    kind: 'value',
    name: 'proxy-video-reads-p99',
    unit: 'ms',
    bar: 30,
    measure: async (bench) => (await measureVideos(bench)).reads.p99Ms,
  },
  { kind: 'value', name: 'webhooks-drain', unit: '/s', bar: 500, measure: drainWebhooks },
];

/** On a server that renders nothing. */
async function prepareCreate({ engine, bare, cleanUp }: Bench): Promise<Sides> {
  const { server, keys } = await startCloud({
    engine,
    users: CREATORS,
    environment: { ATELIER_RENDERERS: '0', ATELIER_TASKS_PER_USER: '1000' },
  });
  cleanUp.use(server);
  const body = JSON.stringify({ image: await uniquePhoto(), sharpen: 10 });
  let done = 0;
  const load =
    ({ url, pid }: Target, path: string, stored: string): Load =>
    async (seconds) => {
      const rest = [...keys.slice(done), ...keys.slice(0, done)];
      const drive = { url, paths: [path], body, keys: rest, connections: CONNECTIONS, seconds };
      const sample = await runDriver('create-drive.ts', pid, drive);
      done = (done + sample.count) % keys.length;
      await emptyStore(stored);
      return sample;
    };
  const ours = load({ url: server.url, pid: server.process.pid }, FAITHFUL, join(server.dataFolder, 'tasks'));
  // The runtime compiles what it sees often.
  await ours(CREATE_WARM_UP_SECONDS);
  return { ours, bare: load(bare, '/store', join(bare.folder, 'store')) };
}

/** Some 500 kB as base64, with a comment that the driver changes from one request to the next. */
async function uniquePhoto(): Promise<string> {
  const picture = await photo({ edge: 1400, quality: 90 });
  const payload = Buffer.from(UNIQUE, 'base64');
  // After the mark of the beginning; together six bytes, so that base64 has the payload in signs of its own.
  const comment = [0xff, 0xfe, 0, payload.length + 2, ...payload];
  return Buffer.concat([picture.subarray(0, 2), Buffer.from(comment), picture.subarray(2)]).toString(
    'base64',
  );
}

/** Hundreds of megabytes come with each round. */
async function emptyStore(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'tmp') await rm(join(folder, name), { recursive: true });
  }
}

function renderer(work: 'skin' | 'relight', bar: number): Row {
  return {
    kind: 'ratio',
    name: `proxy-${work}`,
    bar,
    async prepare({ cleanUp }) {
      const { path: folder } = cleanUp.use(await temporaryFolder());
      await writeFile(join(folder, 'photo.jpg'), await photo({ edge: 2048, quality: 90 }));
      const load =
        (side: RenderWork['work']): Load =>
        async (seconds) => {
          const input: RenderWork = { work: side, folder, seconds };
          return await inProcess<Sample>('render-work.ts', input, { deadlineMs: RENDER_DEADLINE_MS });
        };
      return { ours: load(work), bare: load('sharp') };
    },
  };
}
