import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { WebSocket } from 'ws';

import { inChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { httpLoad, type Requests } from '../http-load.ts';
import { toSample } from '../measure.ts';
import { type Bench, type Load, type MakeLoad, type Row, valueRow } from '../row.ts';
import { type CloudServer, startCloud, trivialGraph } from '../seed-cloud.ts';
import { bareRoute, shared } from '../servers.ts';

/** Enough that no account reaches the limit of waiting jobs. */
const SUBMITTERS = 6000;
const PAST = 100_000;
const WARM_UP_SECONDS = 3;
/** The runtime compiles what it sees often; after some seconds a submission costs half of what the first ones did. */
const LONG_WARM_UP_SECONDS = 8;
const SUBMISSION = { body: JSON.stringify({ prompt: smallGraph() }) };
const V2_SUBMISSION = { body: JSON.stringify({ workflow: smallGraph() }) };
const FLOOD: Pace = { accounts: 8, eachAtOnce: 20 };
/** One user with jobs that write a file each. */
const PREVIEWS: Pace = { accounts: 1, eachAtOnce: 90, isPicture: true };
const STEADY: Pace = { accounts: 8, perSecond: 150 };
const SINGLE: Pace = { accounts: 1, eachAtOnce: 1 };

/** Submitting, running and watching jobs; then the same beside 100 000 finished jobs, against a server without any. */
export const rows: readonly Row[] = [
  { name: 'cloud-status', bar: 0.25, ours: status(0), bare: bareRoute() },
  { name: 'cloud-submit', bar: 0.15, ours: submit(0), bare: bareRoute(SUBMISSION) },
  valueRow('cloud-jobs', '/s', 400, async (bench) => (await driveNew(bench, FLOOD)).finished.rate),
  valueRow('cloud-previews', '/s', 400, async (bench) => (await driveNew(bench, PREVIEWS)).finished.rate),
  {
    // 400 a second, against the middle of the 134 to 220 that a ComfyUI made beside them.
    name: 'cloud-previews-ratio',
    bar: 2.26,
    ours: previews,
    bare: async ({ comfyui = '' }) => previewsAt({ url: comfyui, keys: [''] }),
    needsComfyui: true,
  },
  valueRow('cloud-accept-p50', 'ms', 4, async (bench) => (await driveNew(bench, STEADY)).accepted.p50Ms),
  valueRow('cloud-accept-p99', 'ms', 20, async (bench) => (await driveNew(bench, STEADY)).accepted.p99Ms),
  valueRow('cloud-latency-p50', 'ms', 15, async (bench) => (await driveNew(bench, SINGLE)).finished.p50Ms),
  valueRow('cloud-latency-p99', 'ms', 60, async (bench) => (await driveNew(bench, SINGLE)).finished.p99Ms),
  {
    name: 'v2-submit',
    bar: 0.87,
    ours: submit(0, { paths: ['/api/v2/jobs'], ...V2_SUBMISSION }),
    bare: submit(0),
  },
  { ...valueRow('postgres-job', 'statements', 8, statementsOf(FLOOD)), needsPostgres: true },
  { ...valueRow('postgres-job-file', 'statements', 11, statementsOf(PREVIEWS)), needsPostgres: true },
  { name: 'cloud-status-aged', bar: 0.75, ours: status(PAST), bare: status(0) },
  { name: 'cloud-submit-aged', bar: 0.75, ours: submit(PAST), bare: submit(0) },
  { name: 'cloud-jobs-aged', bar: 0.75, ours: jobs(PAST, FLOOD), bare: jobs(0, FLOOD) },
  { name: 'cloud-latency-aged', bar: 0.75, ours: jobs(PAST, SINGLE), bare: jobs(0, SINGLE) },
];

function status(past: number): MakeLoad {
  return async (bench) => {
    const server = await jobServer(bench, past);
    const [key = ''] = server.keys;
    const paths: string[] = [];
    while (paths.length < 50) {
      const prompt = trivialGraph(randomUUID());
      const jobId = await submitJob(`${server.url}/api/prompt?wait=20`, key, { prompt });
      paths.push(`/api/job/${jobId}/status`);
    }
    const load = httpLoad(server, { paths, headers: { 'x-api-key': key } });
    // Both servers of a comparison must have been used equally long.
    await load(WARM_UP_SECONDS);
    return load;
  };
}

/** On a server that runs nothing, so that only accepting jobs is measured. */
function submit(past: number, requests: Requests = { paths: ['/api/prompt'], ...SUBMISSION }): MakeLoad {
  return async (bench) => {
    const server = await cloudServer(bench, SUBMITTERS, past, { ATELIER_RUNNERS: '0' });
    const load = httpLoad(server, { ...requests, keys: server.keys });
    await load(LONG_WARM_UP_SECONDS);
    return load;
  };
}

function jobs(past: number, pace: Pace): MakeLoad {
  return async (bench) => async (seconds) => {
    const { finished } = await drive(await jobServer(bench, past), seconds, pace);
    // What is compared is a rate; of single jobs that of their usual time.
    return pace === SINGLE ? { ...finished, rate: 1000 / finished.p50Ms } : finished;
  };
}

async function previews(bench: Bench): Promise<Load> {
  const load = previewsAt(await jobServer(bench, 0));
  await load(LONG_WARM_UP_SECONDS);
  return load;
}

function previewsAt(server: JobServer): Load {
  return async (seconds) => (await drive(server, seconds, PREVIEWS)).finished;
}

/** Ours, or a ComfyUI, which speaks the same protocol. */
type JobServer = Pick<CloudServer, 'url' | 'keys'>;

async function drive({ url, keys }: JobServer, seconds: number, pace: Pace) {
  return await inChild(import.meta.filename, driveJobs, { urls: [url], keys, seconds, ...pace });
}

async function driveNew(bench: Bench, pace: Pace) {
  const server = await jobServer(bench, 0);
  // With jobs of its own kind: those that write files run a third faster after half a minute.
  await drive(server, LONG_WARM_UP_SECONDS, pace);
  return await drive(server, bench.seconds, pace);
}

/** How many statements a job takes from its submission to its end, with what the server does beside it. */
function statementsOf(pace: Pace) {
  return async (bench: Bench): Promise<number> => {
    const server = await jobServer(bench, 0);
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    try {
      await client.query('create extension if not exists pg_stat_statements');
      await client.query('select pg_stat_statements_reset()');
      const { finished } = await drive(server, bench.seconds, pace);
      const { rows: counted } = await client.query<{ calls: string }>(
        'select sum(calls) as calls from pg_stat_statements join pg_database on oid = dbid where datname = current_database()',
      );
      return Number(counted[0]?.calls) / finished.count;
    } finally {
      await client.end();
    }
  };
}

const cloudServer = shared(startCloud);

const jobServer = shared(async (bench, past: number) => {
  const server = await startCloud(bench, 16, past);
  await drive(server, WARM_UP_SECONDS, FLOOD);
  return server;
});

/** About 2 kB, like small workflows of people. */
function smallGraph() {
  const steps = Array.from({ length: 12 }, (_, n) => ({
    class_type: 'StringConcatenate',
    inputs: { string_a: [String(n), 0], string_b: `a few words for step ${n}`, delimiter: ', ' },
    _meta: { title: `Step ${n} of the text` },
  }));
  const first = { class_type: 'PrimitiveString', inputs: { value: 'a picture of a house' } };
  const last = { class_type: 'PreviewAny', inputs: { source: ['12', 0] } };
  return Object.fromEntries([first, ...steps, last].entries());
}

/** No two alike, so that none is answered from what is kept of another. */
function smallPicture() {
  const size = { width: 64, height: 64, batch_size: 1 };
  return {
    '1': { class_type: 'EmptyImage', inputs: { ...size, color: Math.floor(Math.random() * 2 ** 24) } },
    '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  };
}

/** So many jobs a second of all accounts together, or so many of each at any moment. */
export type Pace = {
  readonly accounts: number;
  readonly perSecond?: number;
  readonly eachAtOnce?: number;
  readonly isPicture?: boolean;
};
type Drive = Pace & {
  readonly urls: readonly string[];
  readonly keys: readonly string[];
  readonly seconds: number;
};

/** Submits jobs of two nodes with little work, to the servers in turn, and watches them end over WebSockets. */
export async function driveJobs({ urls, seconds, perSecond, eachAtOnce = 1, isPicture, ...rest }: Drive) {
  const keys = rest.keys.slice(0, rest.accounts);
  const accepted: number[] = [];
  const finished: number[] = [];
  /** Either side may come first: a job may end before its submission is answered. */
  const ends = new Map<string, PromiseWithResolvers<number>>();
  const endOf = (id: string) => ends.getOrInsertComputed(id, () => Promise.withResolvers<number>());
  const onEnd = (id: string) => endOf(id).resolve(performance.now());
  const place = (n: number) => urls[n % urls.length] ?? '';
  // A ComfyUI tells of a job only who has submitted it.
  const clientId = randomUUID();
  await Promise.all(keys.map(async (key, n) => await watch(place(n), { key, clientId }, onEnd)));

  const start = performance.now();
  const isOver = () => performance.now() - start > seconds * 1000;
  let submitted = 0;
  const run = async (key = '') => {
    const at = performance.now();
    submitted += 1;
    const prompt = isPicture ? smallPicture() : trivialGraph(randomUUID());
    const jobId = await submitJob(`${place(submitted)}/api/prompt`, key, { prompt, client_id: clientId });
    accepted.push(performance.now() - at);
    finished.push((await endOf(jobId).promise) - at);
    ends.delete(jobId);
  };

  const runOn = async (key?: string) => {
    while (!isOver()) await run(key);
  };

  const running: Promise<void>[] = [];
  if (perSecond === undefined) {
    for (let n = 0; n < keys.length * eachAtOnce; n += 1) running.push(runOn(keys[n % keys.length]));
  } else {
    for (let n = 0; !isOver(); n += 1) {
      const left = start + (n * 1000) / perSecond - performance.now();
      if (left > 1) await wait(left);
      running.push(run(keys[n % keys.length]));
    }
  }
  await Promise.all(running);
  const span = performance.now() - start;
  return { accepted: toSample(accepted, span), finished: toSample(finished, span) };
}

async function submitJob(url: string, key: string, submission: object): Promise<string> {
  const body = JSON.stringify(submission);
  return (await httpCall<{ prompt_id: string }>(url, { key, body })).prompt_id;
}

async function watch(
  url: string,
  { key, clientId }: { readonly key: string; readonly clientId: string },
  onEnd: (jobId: string) => void,
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=${clientId}&token=${key}`);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // Only the end counts; reading every message would measure the driver.
    if (isBinary || !data.includes('"execution_success"')) return;
    const message = JSON.parse(data.toString()) as { data: { prompt_id: string } };
    onEnd(message.data.prompt_id);
  });
  await once(socket, 'open');
  // Ends would be missing, and this would wait for ever.
  socket.once('close', (code) => {
    throw new Error(`A socket was closed with ${code}.`);
  });
}
