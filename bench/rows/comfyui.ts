import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';
import { describeNodes, readObjectInfo } from '@atelier/engine';
import { WebSocket } from 'ws';

import { startChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { httpLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { type Bench, type MakeLoad, type Row, valueRow } from '../row.ts';
import { shared, startOurs } from '../servers.ts';

const TRIVIAL_RUNS = 60;
const LONG_RUNS = 15;
const LONG_MS = 1500;
const BATCH = 40;
const BATCH_JOB_MS = 100;
const BATCH_ROUNDS = 9;
const WARM_UP_RUNS = 5;
const READY_MS = 120_000;

/** What Atelier adds to the ComfyUI given with `--comfyui`; then what several ComfyUI servers add to `GET /object_info`. */
export const rows: readonly Row[] = [
  { ...valueRow('comfyui-added', 'ms', 15, addedMs), needsComfyui: true },
  { ...valueRow('comfyui-long', '%', 3, addedShare), needsComfyui: true },
  { ...valueRow('comfyui-batch', '%', 110, batchShare), needsComfyui: true },
  { name: 'object-info-union', bar: 0.9, ours: objectInfo(10), bare: objectInfo(1) },
];

/** How much longer a trivial job takes, in the middle of many that take turns. */
async function addedMs(bench: Bench): Promise<number> {
  const { direct, through } = await bothSides(bench);
  const times = await takeTurns(TRIVIAL_RUNS, async (side) => await side.run(blurred(0)), direct, through);
  return median(times.map(([bare, ours]) => ours - bare));
}

async function addedShare(bench: Bench): Promise<number> {
  const { direct, through, msPerBlur } = await bothSides(bench);
  const blurs = Math.ceil(LONG_MS / msPerBlur);
  const times = await takeTurns(LONG_RUNS, async (side) => await side.run(blurred(blurs)), direct, through);
  return (median(times.map(([bare, ours]) => ours / bare)) - 1) * 100;
}

/** How long forty jobs take that are posted at once, in percent of what they take without us. */
async function batchShare(bench: Bench): Promise<number> {
  const { direct, through, msPerBlur } = await bothSides(bench);
  const blurs = Math.ceil(BATCH_JOB_MS / msPerBlur);
  const runAll = async (side: Side) => {
    const begin = performance.now();
    await Promise.all(Array.from({ length: BATCH }, async () => await side.run(blurred(blurs))));
    return performance.now() - begin;
  };
  const times = await takeTurns(BATCH_ROUNDS, runAll, direct, through);
  return median(times.map(([bare, ours]) => ours / bare)) * 100;
}

interface Side {
  /** Resolves to the time from before the submission to the message that it has ended. */
  run(graph: object): Promise<number>;
}

const bothSides = shared(async (bench) => {
  const { comfyui = '' } = bench;
  const server = await startOurs(bench, {
    environment: { ATELIER_COMFYUI_URLS: comfyui, ATELIER_RUNNERS: '0' },
  });
  const key = server.admin.api_key;
  const deadline = performance.now() + READY_MS;
  while (!(await isReady(server.url, key))) {
    if (performance.now() > deadline) throw new Error(`no worker for ${comfyui} has come`);
    await wait(200);
  }
  const direct = await openSide(bench, comfyui);
  const through = await openSide(bench, server.url, key);
  await takeTurns(WARM_UP_RUNS, async (side) => await side.run(blurred(1)), direct, through);
  const [four, none] = [await direct.run(blurred(4)), await direct.run(blurred(0))];
  const msPerBlur = Math.max(1, (four - none) / 4);
  process.stderr.write(`(one blur takes ${msPerBlur.toFixed(0)} ms) `);
  return { direct, through, msPerBlur };
});

async function isReady(url: string, key: string): Promise<boolean> {
  const { workers } = await httpCall<{ workers: { state: string }[] }>(`${url}/admin/workers`, { key });
  if (workers.length === 0) return false;
  return (await fetch(`${url}/object_info/ImageBlur`, { headers: { 'x-api-key': key } })).ok;
}

async function takeTurns(
  count: number,
  work: (side: Side) => Promise<number>,
  direct: Side,
  through: Side,
): Promise<(readonly [number, number])[]> {
  const times: (readonly [number, number])[] = [];
  while (times.length < count) times.push([await work(direct), await work(through)]);
  return times;
}

/** Both sides speak the same protocol. */
async function openSide({ cleanUp }: Bench, url: string, key?: string): Promise<Side> {
  const clientId = randomUUID();
  const ends = new Map<string, PromiseWithResolvers<number>>();
  const endOf = (id: string) => ends.getOrInsertComputed(id, () => Promise.withResolvers<number>());
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=${clientId}`, {
    headers: key === undefined ? {} : { 'x-api-key': key },
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary || !data.includes('"execution_')) return;
    const { type, data: about } = JSON.parse(data.toString()) as {
      readonly type: string;
      readonly data: { readonly prompt_id: string; readonly exception_message?: string };
    };
    if (type === 'execution_success') endOf(about.prompt_id).resolve(performance.now());
    if (type === 'execution_error') endOf(about.prompt_id).reject(new Error(about.exception_message));
  });
  await once(socket, 'open');
  cleanUp.defer(() => socket.terminate());
  socket.on('close', () => {
    for (const { reject } of ends.values()) reject(new Error(`${url} has closed the socket`));
  });
  return {
    async run(prompt) {
      const body = JSON.stringify({
        prompt,
        client_id: clientId,
        extra_data: { worker_labels: ['comfyui'] },
      });
      const begin = performance.now();
      const call = { body, ...(key !== undefined && { key }) };
      const { prompt_id: id } = await httpCall<{ prompt_id: string }>(`${url}/prompt`, call);
      const end = await endOf(id).promise;
      ends.delete(id);
      return end - begin;
    },
  };
}

/** A small picture that nothing has kept yet, blurred so often. */
function blurred(count: number) {
  const size = { width: 256, height: 256, batch_size: 1, color: Math.floor(Math.random() * 2 ** 24) };
  const blurs = Array.from({ length: count }, (_, n) => ({
    class_type: 'ImageBlur',
    inputs: { image: [String(n), 0], blur_radius: 15, sigma: 5 },
  }));
  const show = { class_type: 'PreviewImage', inputs: { images: [String(count), 0] } };
  return Object.fromEntries([{ class_type: 'EmptyImage', inputs: size }, ...blurs, show].entries());
}

function objectInfo(count: number): MakeLoad {
  return async (bench) => {
    const server = await startOurs(bench);
    const key = server.admin.api_key;
    const body = JSON.stringify({ name: 'bench' });
    const { token } = await httpCall<{ token: string }>(`${server.url}/admin/worker-tokens`, { key, body });
    bench.cleanUp.use(await startChild(import.meta.filename, offerTypes, { url: server.url, token, count }));
    const path = `${server.url}/object_info/Bench0`;
    const deadline = performance.now() + READY_MS;
    while (
      !(await (await fetch(path, { headers: { 'x-api-key': key } })).text()).includes(`-${count - 1}.`)
    ) {
      if (performance.now() > deadline) throw new Error('the node types have not come');
      await wait(200);
    }
    return httpLoad(server, { paths: ['/object_info'], headers: { 'x-api-key': key } });
  };
}

const TYPES = 540;
/** Types with a list of models. */
const LOADERS = 30;
/** Of all workers together, so that the answers are of one size. */
const MODELS = 100;

/** Connects workers with the node types of a ComfyUI, some 600 kB each, and models of their own. */
export async function offerTypes({ url, token, count }: { url: string; token: string; count: number }) {
  const about = { kind: 'comfyui', version: '0.7.0', gpus: [], models: {}, attempts: [] };
  const size = { slots: 1, ready: 1, memoryBytes: 2 ** 31 };
  for (let n = 0; n < count; n += 1) {
    const description = describeNodes(readObjectInfo(JSON.stringify(typesOf(n, MODELS / count))).catalogue);
    const nodeTypes = hash('sha256', description);
    const socket = new WebSocket(`${url.replace('http', 'ws')}${WORKER_PATH}`, WORKER_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    });
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { readonly type: string };
      if (type === 'describe')
        socket.send(JSON.stringify({ type: 'node_types', hash: nodeTypes, body: description }));
    });
    await once(socket, 'open');
    const hello = { type: 'hello', name: `comfyui-${n}`, instance: randomUUID(), nodeTypes };
    socket.send(JSON.stringify({ ...hello, labels: ['comfyui'], ...about, ...size }));
  }
  return count;
}

function typesOf(worker: number, modelCount: number) {
  const models = Array.from({ length: modelCount }, (_, n) => `model-${n}-${worker}.safetensors`);
  const number = [
    'FLOAT',
    { default: 1, min: 0, max: 100, step: 0.01, tooltip: 'How much of it. '.repeat(8) },
  ];
  const numbers = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`strength_${n}`, number]));
  const type = (n: number) => ({
    input: { required: { model: n < LOADERS ? [models, {}] : ['MODEL', {}], ...numbers } },
    input_order: { required: ['model', ...Object.keys(numbers)] },
    output: ['MODEL'],
    output_is_list: [false],
    output_name: ['MODEL'],
    category: 'bench',
    description: 'A type of the benchmark.',
    python_module: 'nodes',
    output_node: false,
  });
  const names = Array.from({ length: TYPES }, (_, n) => `Bench${n}`);
  return Object.fromEntries(names.map((name, n) => [name, { ...type(n), name, display_name: name }]));
}
