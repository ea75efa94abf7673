import { httpLoad } from '../http-load.ts';
import { inProcess } from '../in-process.ts';
import type { JobsDrive } from '../jobs-drive.ts';
import { measureSockets } from '../measure-sockets.ts';
import type { Bench, Load, Row, Sample, ValueRow } from '../row.ts';
import { type CloudServer, smallGraph, startCloud, trivialGraph } from '../seed-cloud.ts';

/** Enough that nobody reaches the bound of waiting jobs. */
const SUBMITTERS = 6000;
const PAST = 100_000;
const SLACK_MS = 60_000;
const WARM_UP_SECONDS = 3;
const SUBMIT_WARM_UP_SECONDS = 8;
/** Jobs a second beside the reads. */
const BESIDE = 20;

const JSON_BODY = { 'content-type': 'application/json' };
const SUBMISSION = JSON.stringify({ prompt: smallGraph() });

const FLOOD: JobsDrive['pace'] = { flood: 20 };
const STEADY: JobsDrive['pace'] = { steady: 150 };

interface Driven {
  readonly accepted: Sample;
  readonly finished: Sample;
}

/** Submitting, running and watching jobs; then the same beside 100 000 finished jobs, against a server without any. */
export const rows: readonly Row[] = [
  againstBare('cloud-status', 0.4, statusLoad),
  againstBare('cloud-status-busy', undefined, busyStatusLoad),
  againstBare('cloud-submit', 0.2, submitLoad, { method: 'POST', body: SUBMISSION, headers: JSON_BODY }),
  driven('cloud-jobs', { unit: '/s', bar: 400 }, FLOOD, ({ finished }) => finished.rate),
  driven('cloud-accept-p50', { unit: 'ms', bar: 4 }, STEADY, ({ accepted }) => accepted.p50Ms),
  driven('cloud-accept-p99', { unit: 'ms', bar: 20 }, STEADY, ({ accepted }) => accepted.p99Ms),
  driven('cloud-latency-p50', { unit: 'ms', bar: 15 }, 'single', ({ finished }) => finished.p50Ms),
  driven('cloud-latency-p99', { unit: 'ms', bar: 60 }, 'single', ({ finished }) => finished.p99Ms),
  sockets('cloud-sockets-p99', { unit: 'ms', bar: 100 }, ({ p99Ms }) => p99Ms),
  sockets('cloud-socket-memory', { unit: 'kB', bar: 60 }, ({ kilobytesEach }) => kilobytesEach),
  againstNew('cloud-status-aged', statusLoad),
  againstNew('cloud-submit-aged', submitLoad),
  againstNew('cloud-jobs-aged', async (bench, past) => await jobsLoad(bench, past, FLOOD)),
  againstNew('cloud-latency-aged', async (bench, past) => await jobsLoad(bench, past, 'single')),
];

function againstBare(
  name: string,
  bar: number | undefined,
  load: (bench: Bench, past: number) => Promise<Load>,
  bare: Omit<Parameters<typeof httpLoad>[1], 'path'> = {},
): Row {
  return {
    kind: 'ratio',
    name,
    ...(bar === undefined ? {} : { bar }),
    prepare: async (bench) => ({
      ours: await load(bench, 0),
      bare: httpLoad(bench.bare, { path: '/bare', ...bare }),
    }),
  };
}

/** May change by a quarter at most. */
function againstNew(name: string, load: (bench: Bench, past: number) => Promise<Load>): Row {
  return {
    kind: 'ratio',
    name,
    bar: 0.75,
    prepare: async (bench) => ({ ours: await load(bench, PAST), bare: await load(bench, 0) }),
  };
}

function driven(
  name: string,
  limits: Pick<ValueRow, 'unit' | 'bar'>,
  pace: JobsDrive['pace'],
  pick: (measured: Driven) => number,
): Row {
  return {
    kind: 'value',
    name,
    ...limits,
    measure: async (bench) => pick(await drive(await jobServer(bench, 0), bench.seconds, pace)),
  };
}

function sockets(
  name: string,
  limits: Pick<ValueRow, 'unit' | 'bar'>,
  pick: (measured: Awaited<ReturnType<typeof measureSockets>>) => number,
): Row {
  return {
    kind: 'value',
    name,
    ...limits,
    measure: async ({ seconds }) => pick(await measureSockets(seconds)),
  };
}

async function statusLoad(bench: Bench, past: number): Promise<Load> {
  const { server, keys } = await jobServer(bench, past);
  const headers = { 'x-api-key': keys[0] ?? '' };
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const answer = await fetch(`${server.url}/api/prompt?wait=20`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: trivialGraph(`status ${n}`) }),
    });
    ids.push(((await answer.json()) as { prompt_id: string }).prompt_id);
  }
  const path = ids.map((id) => `/api/job/${id}/status`);
  const load = httpLoad({ url: server.url, pid: server.process.pid }, { path, headers });
  // Of two servers that are compared none must be longer under way than the other.
  await load(WARM_UP_SECONDS);
  return load;
}

/** The same while jobs run, so that nothing which is kept stays true for long. The jobs take their share of the cores. */
async function busyStatusLoad(bench: Bench, past: number): Promise<Load> {
  const cloud = await jobServer(bench, past);
  const load = await statusLoad(bench, past);
  return async (seconds) => {
    const [sample] = await Promise.all([load(seconds), drive(cloud, seconds, { steady: BESIDE })]);
    return sample;
  };
}

/** On a server that runs nothing, so that only taking jobs in is measured. Each run goes on with the next accounts. */
async function submitLoad(bench: Bench, past: number): Promise<Load> {
  const { server, keys } = await serverOf(bench, { past, users: SUBMITTERS, runners: '0' });
  const target = { url: server.url, pid: server.process.pid };
  let at = 0;
  const load: Load = async (seconds) => {
    const rest = [...keys.slice(at), ...keys.slice(0, at)];
    const request = {
      path: '/api/prompt',
      method: 'POST',
      headers: JSON_BODY,
      body: SUBMISSION,
      keys: rest,
    } as const;
    const sample = await httpLoad(target, request)(seconds);
    at = (at + sample.count) % keys.length;
    return sample;
  };
  // The runtime compiles what it sees often; after some seconds a submission costs half of what the first ones did.
  await load(SUBMIT_WARM_UP_SECONDS);
  return load;
}

async function jobsLoad(bench: Bench, past: number, pace: JobsDrive['pace']): Promise<Load> {
  const cloud = await jobServer(bench, past);
  return async (seconds) => {
    const { finished } = await drive(cloud, seconds, pace);
    // What is compared is a rate; of single jobs that of their usual time.
    return pace === 'single' ? { ...finished, rate: 1000 / finished.p50Ms } : finished;
  };
}

async function drive(
  { server, keys }: CloudServer,
  seconds: number,
  pace: JobsDrive['pace'],
): Promise<Driven> {
  const work: JobsDrive = { url: server.url, keys: keys.slice(0, 8), seconds, pace };
  return await inProcess('jobs-drive.ts', work, { deadlineMs: seconds * 1000 + SLACK_MS });
}

interface ServerOptions {
  readonly past: number;
  readonly users: number;
  readonly runners: string | undefined;
}

const servers = new WeakMap<Bench, Map<string, Promise<CloudServer>>>();

/** One server for all rows of a kind, warmed up. */
async function jobServer(bench: Bench, past: number): Promise<CloudServer> {
  return await serverOf(bench, { past, users: 16, runners: undefined });
}

async function serverOf(bench: Bench, options: ServerOptions): Promise<CloudServer> {
  const known = servers.get(bench) ?? new Map<string, Promise<CloudServer>>();
  servers.set(bench, known);
  const name = JSON.stringify(options);
  const started = known.get(name) ?? startWarm(bench, options);
  known.set(name, started);
  return await started;
}

async function startWarm(
  { engine, cleanUp }: Bench,
  { past, users, runners }: ServerOptions,
): Promise<CloudServer> {
  const environment = runners === undefined ? {} : { ATELIER_RUNNERS: runners };
  const cloud = await startCloud({ engine, users, finished: past, environment });
  cleanUp.use(cloud.server);
  if (runners !== '0') await drive(cloud, WARM_UP_SECONDS, FLOOD);
  return cloud;
}
