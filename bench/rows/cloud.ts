import type { JobsDrive } from '../drivers/jobs.ts';
import { httpLoad } from '../http-load.ts';
import { inProcess } from '../in-process.ts';
import type { Bench, Load, Row, Sample, ValueRow } from '../row.ts';
import { type CloudServer, smallGraph, startCloud, trivialGraph } from '../seed-cloud.ts';

/** Enough that nobody reaches the bound of waiting jobs. */
const SUBMITTERS = 6000;
const PAST = 100_000;
const SLACK_MS = 60_000;
const WARM_UP_SECONDS = 3;
/** The runtime compiles what it sees often; after some seconds a submission costs half of what the first ones did. */
const SUBMIT_WARM_UP_SECONDS = 8;

const SUBMISSION = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ prompt: smallGraph() }),
} as const;
const FLOOD: JobsDrive['pace'] = { flood: 20 };
const STEADY: JobsDrive['pace'] = { steady: 150 };

type MakeLoad = (bench: Bench, past: number) => Promise<Load>;

/** Submitting, running and watching jobs; then the same beside 100 000 finished jobs, against a server without any. */
export const rows: readonly Row[] = [
  againstBare('cloud-status', 0.25, statusLoad, {}),
  againstBare('cloud-submit', 0.15, submitLoad, SUBMISSION),
  driven('cloud-jobs', '/s', 400, FLOOD, ({ finished }) => finished.rate),
  driven('cloud-accept-p50', 'ms', 4, STEADY, ({ accepted }) => accepted.p50Ms),
  driven('cloud-accept-p99', 'ms', 20, STEADY, ({ accepted }) => accepted.p99Ms),
  driven('cloud-latency-p50', 'ms', 15, 'single', ({ finished }) => finished.p50Ms),
  driven('cloud-latency-p99', 'ms', 60, 'single', ({ finished }) => finished.p99Ms),
  againstNew('cloud-status-aged', statusLoad),
  againstNew('cloud-submit-aged', submitLoad),
  againstNew('cloud-jobs-aged', async (bench, past) => await jobsLoad(bench, past, FLOOD)),
  againstNew('cloud-latency-aged', async (bench, past) => await jobsLoad(bench, past, 'single')),
];

function againstBare(name: string, bar: number, load: MakeLoad, bare: object): Row {
  return {
    name,
    bar,
    prepare: async (bench) => ({
      ours: await load(bench, 0),
      bare: httpLoad(bench.bare, { path: '/bare', ...bare }),
    }),
  };
}

/** May change by a quarter at most. */
function againstNew(name: string, load: MakeLoad): Row {
  return {
    name,
    bar: 0.75,
    prepare: async (bench) => ({ ours: await load(bench, PAST), bare: await load(bench, 0) }),
  };
}

function driven(
  name: string,
  unit: ValueRow['unit'],
  bar: number,
  pace: JobsDrive['pace'],
  pick: (measured: { readonly accepted: Sample; readonly finished: Sample }) => number,
): Row {
  return {
    name,
    unit,
    bar,
    measure: async (bench) => pick(await drive(await jobServer(bench, 0), bench.seconds, pace)),
  };
}

async function statusLoad(bench: Bench, past: number): Promise<Load> {
  const { server, keys } = await jobServer(bench, past);
  const headers = { 'x-api-key': keys[0] ?? '' };
  const path: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const answer = await fetch(`${server.url}/api/prompt?wait=20`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: trivialGraph(`status ${n}`) }),
    });
    const { prompt_id } = (await answer.json()) as { prompt_id: string };
    path.push(`/api/job/${prompt_id}/status`);
  }
  const load = httpLoad({ url: server.url, pid: server.process.pid }, { path, headers });
  // Of two servers that are compared none must be longer under way than the other.
  await load(WARM_UP_SECONDS);
  return load;
}

/** On a server that runs nothing, so that only taking jobs in is measured. */
async function submitLoad(bench: Bench, past: number): Promise<Load> {
  const { server, keys } = await serverOf(bench, { past, users: SUBMITTERS, runsJobs: false });
  const target = { url: server.url, pid: server.process.pid };
  const load = httpLoad(target, { path: '/api/prompt', ...SUBMISSION, keys });
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

async function drive({ server, keys }: CloudServer, seconds: number, pace: JobsDrive['pace']) {
  const work: JobsDrive = { url: server.url, keys: keys.slice(0, 8), seconds, pace };
  return await inProcess<{ accepted: Sample; finished: Sample }>('jobs', work, seconds * 1000 + SLACK_MS);
}

interface ServerOptions {
  readonly past: number;
  readonly users: number;
  readonly runsJobs: boolean;
}

/** One for all rows of a kind, warmed up. */
const servers = new Map<string, Promise<CloudServer>>();

async function jobServer(bench: Bench, past: number): Promise<CloudServer> {
  return await serverOf(bench, { past, users: 16, runsJobs: true });
}

async function serverOf(bench: Bench, options: ServerOptions): Promise<CloudServer> {
  const name = JSON.stringify(options);
  const started = servers.get(name) ?? startWarm(bench, options);
  servers.set(name, started);
  return await started;
}

async function startWarm(bench: Bench, { past, users, runsJobs }: ServerOptions): Promise<CloudServer> {
  const environment = runsJobs ? {} : { ATELIER_RUNNERS: '0' };
  const cloud = await startCloud(bench, { users, finished: past, environment });
  if (runsJobs) await drive(cloud, WARM_UP_SECONDS, FLOOD);
  return cloud;
}
