import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { encodePicture, type ToWorker, WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';
import { createCatalogue, describeNodes, loadPacks } from '@atelier/engine';
import { shareFiles, spawnServer, startNats, temporaryFolder } from '@atelier/testing';
import pg from 'pg';
import { WebSocket } from 'ws';

import { inChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { median, percentile } from '../measure.ts';
import { cpuMsOf } from '../process-status.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { startCloud, trivialGraph } from '../seed-cloud.ts';
import { driveJobs, type Pace } from './cloud.ts';

const SERVERS = 3;
const USERS = 100;
const SOCKETS = 500;
const EVENTS_PER_SECOND = 1500;
const PREVIEW_BYTES = 27_000;
const SETTLE_MS = 3000;
const JOBS: Pace = { accounts: 9, eachAtOnce: 10 };
const ROUNDS = 5;
const WARM_UP_SECONDS = 10;

/** Several servers on one PostgreSQL. */
export const rows: readonly Row[] = [
  valueRow('servers-cpu', '%', 130, compareServers),
  valueRow('fan-out-p99', 'ms', 100, async (bench) => (await fanOut(bench, {})).messagesP99),
  valueRow(
    'fan-out-nats-p99',
    'ms',
    100,
    async (bench) => (await fanOut(bench, { hasNats: true })).messagesP99,
  ),
  valueRow('fan-out-previews-p99', 'ms', 100, async (bench) => {
    const { messagesP99, picturesP99 } = await fanOut(bench, { hasNats: true, hasPreviews: true });
    return Math.max(messagesP99, picturesP99);
  }),
].map((row) => ({ ...row, needsPostgres: true }));

interface Server {
  readonly url: string;
  readonly pid: number | undefined;
}

async function startServers(bench: Bench, count: number, users: number, environment: Record<string, string>) {
  const cleanUp = new AsyncDisposableStack();
  const first = await startCloud({ ...bench, cleanUp }, users, 0, environment);
  const servers: Server[] = [first];
  while (servers.length < count) {
    const { path } = cleanUp.use(await temporaryFolder());
    await shareFiles(first.dataFolder, path);
    const { child, output } = spawnServer({
      ATELIER_DATABASE_URL: first.databaseUrl ?? '',
      ATELIER_DATA_DIR: path,
      ATELIER_CONSOLE: 'off',
      ...environment,
    });
    cleanUp.defer(() => void child.kill('SIGKILL'));
    const find = () => /Atelier listens on ([^\s,]+)/.exec(output())?.[1];
    while (find() === undefined && child.exitCode === null) await wait(20);
    servers.push({ url: find() ?? '', pid: child.pid });
  }
  // They must know each other.
  await wait(SETTLE_MS);
  return { first, servers, [Symbol.asyncDispose]: async () => await cleanUp.disposeAsync() };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/**
 * The computing time of servers and PostgreSQL for a job on three servers, in percent of that on one. Both take turns, because other work on
 * the machine changes what a job costs.
 */
async function compareServers(bench: Bench): Promise<number> {
  const start = async (count: number) => {
    const environment = { ATELIER_RUNNERS: String(SERVERS / count) };
    const servers = await startServers(bench, count, JOBS.accounts, environment);
    // The runtime compiles what it sees often, and each server sees a part.
    await drive(servers, WARM_UP_SECONDS * count);
    return servers;
  };
  await using one = await start(1);
  await using three = await start(SERVERS);
  const ratios: number[] = [];
  while (ratios.length < ROUNDS) {
    const [ofOne, ofThree] = [await costOf(one, bench.seconds), await costOf(three, bench.seconds)];
    process.stderr.write(`${ofOne.toFixed(2)} and ${ofThree.toFixed(2)} ms … `);
    ratios.push(ofThree / ofOne);
  }
  return median(ratios) * 100;
}

async function costOf(servers: Servers, seconds: number): Promise<number> {
  const before = await cpuOf(servers);
  const { finished } = await drive(servers, seconds);
  const after = await cpuOf(servers);
  const used = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  process.stderr.write(`${finished.rate.toFixed(0)}/s p50 ${finished.p50Ms.toFixed(0)} ms, `);
  return used / finished.count;
}

async function drive({ first, servers }: Servers, seconds: number) {
  const urls = servers.map(({ url }) => url);
  const work = { ...JOBS, urls, keys: first.keys, seconds };
  return await inChild(join(import.meta.dirname, 'cloud.ts'), driveJobs, work);
}

/** Of the servers and of their connections in PostgreSQL, by process. */
async function cpuOf({ first, servers }: Servers): Promise<ReadonlyMap<number, number>> {
  const client = new pg.Client({ connectionString: first.databaseUrl });
  await client.connect();
  const { rows: found } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name like 'atelier%'",
  );
  await client.end();
  const pids = [...servers.map(({ pid }) => pid ?? 0), ...found.map(({ pid }) => pid)];
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuMsOf(pid)] as const)));
}

interface FanOut {
  readonly hasNats?: boolean;
  readonly hasPreviews?: boolean;
}

async function fanOut(bench: Bench, { hasNats = false, hasPreviews = false }: FanOut) {
  await using nats = hasNats ? await startNats() : undefined;
  const environment = { ATELIER_RUNNERS: '0', ...(nats && { ATELIER_NATS_URL: nats.url }) };
  await using run = await startServers(bench, SERVERS, USERS, environment);
  const { first, servers } = run;
  const { token } = await httpCall<{ token: string }>(`${first.url}/admin/worker-tokens`, {
    key: first.admin.api_key,
    body: JSON.stringify({ name: 'bench' }),
  });
  const result = await inChild(import.meta.filename, tellMuch, {
    urls: servers.map(({ url }) => url),
    keys: first.keys,
    token,
    hasPreviews,
    seconds: bench.seconds,
  });
  const show = (value: number) => value.toFixed(0);
  process.stderr.write(
    `${show(result.messagesPerSecond)} messages/s p50 ${show(result.messagesP50)} p99 ${show(result.messagesP99)} ms, ${show(result.picturesPerSecond)} pictures/s p99 ${show(result.picturesP99)} ms … `,
  );
  return result;
}

interface Much {
  readonly urls: readonly string[];
  readonly keys: readonly string[];
  readonly token: string;
  readonly hasPreviews: boolean;
  readonly seconds: number;
}

/** A job of each user runs at a worker that tells much about it, and five sockets of the user, at all servers, hear it. */
export async function tellMuch({ urls, keys, token, hasPreviews, seconds }: Much) {
  const now = () => performance.timeOrigin + performance.now();
  const messages: number[] = [];
  const pictures: number[] = [];
  let isCounting = false;
  const onFrame = (data: Buffer, isBinary: boolean) => {
    if (!isCounting) return;
    if (isBinary) {
      pictures.push(now() - data.readDoubleBE(8));
      return;
    }
    const at = data.indexOf('"at:');
    if (at > 0) messages.push(now() - Number.parseFloat(data.toString('latin1', at + 4, at + 24)));
  };
  for (let n = 0; n < SOCKETS; n += 1) {
    const url = urls[n % urls.length]?.replace('http', 'ws');
    const socket = new WebSocket(`${url}/ws?token=${keys[n % USERS]}`, { perMessageDeflate: false });
    socket.on('message', onFrame);
    await once(socket, 'open');
  }
  const tellers = await Promise.all(urls.map(async (url) => await connectTeller(url, token)));
  for (const [n, key] of keys.entries()) {
    const body = JSON.stringify({ prompt: trivialGraph(randomUUID()) });
    await httpCall(`${urls[n % urls.length]}/api/prompt`, { key, body });
  }
  const tells = () => tellers.flatMap(({ jobs }) => jobs);
  while (tells().length < keys.length) await wait(50);
  const jobs = tells();
  for (const tell of jobs) tell({ type: 'execution_start', data: { timestamp: Date.now() } });

  const begin = performance.now();
  const picture = Buffer.alloc(PREVIEW_BYTES, 'x');
  let [told, shown] = [0, 0];
  while (performance.now() < begin + SETTLE_MS + seconds * 1000) {
    isCounting ||= performance.now() > begin + SETTLE_MS;
    const passed = (performance.now() - begin) / 1000;
    for (; told < passed * EVENTS_PER_SECOND; told += 1) {
      const node = `at:${now().toFixed(3)}`;
      jobs[told % jobs.length]?.({ type: 'executing', data: { node, display_node: node } });
    }
    // Other servers get one of each job in a second.
    for (; shown < passed * (hasPreviews ? jobs.length : 0); shown += 1) {
      picture.writeDoubleBE(now());
      jobs[shown % jobs.length]?.(aStep, picture);
    }
    await wait(1);
  }
  const perSecond = (times: readonly number[]) => times.length / seconds;
  return {
    messagesPerSecond: perSecond(messages),
    messagesP50: percentile(messages, 50),
    messagesP99: percentile(messages, 99),
    picturesPerSecond: perSecond(pictures),
    picturesP99: pictures.length > 0 ? percentile(pictures, 99) : 0,
  };
}

type Tell = (event: { readonly type: string; readonly data: object }, picture?: Buffer) => void;

const aStep = { type: 'progress', data: { value: 1, max: 2, node: '2' } };

/** A worker that takes jobs and never ends them. */
async function connectTeller(url: string, token: string) {
  const packs = await loadPacks({ modules: [import.meta.resolve('@atelier/nodes')], folders: [] });
  const body = describeNodes(createCatalogue(packs));
  const nodeTypes = hash('sha256', body);
  const socket = new WebSocket(`${url.replace('http', 'ws')}${WORKER_PATH}`, WORKER_SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
  });
  const jobs: Tell[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ToWorker;
    if (message.type === 'describe')
      socket.send(JSON.stringify({ type: 'node_types', hash: nodeTypes, body }));
    if (message.type !== 'run') return;
    let number = 0;
    const prompt_id = message.job.jobId;
    jobs.push((event, picture) => {
      number += 1;
      const about = { type: 'events', attempt: message.attempt, number } as const;
      const full = { ...event, data: { ...event.data, prompt_id } };
      if (!picture) {
        socket.send(JSON.stringify({ ...about, events: [full] }));
        return;
      }
      const node = { node_id: '2', display_node_id: '2', parent_node_id: null, real_node_id: '2' };
      const preview = { data: { ...node, prompt_id, image_type: 'image/jpeg' } };
      socket.send(encodePicture({ ...about, events: [{ ...full, preview }] }, picture));
    });
  });
  await once(socket, 'open');
  const slots = Math.ceil(USERS / SERVERS) + 10;
  const about = { kind: 'built-in', version: '0.1.0', labels: [], gpus: [], models: {}, attempts: [] };
  const size = { slots, ready: slots, memoryBytes: 2 ** 31, nodeTypes };
  socket.send(JSON.stringify({ type: 'hello', name: 'bench', instance: randomUUID(), ...about, ...size }));
  return { jobs };
}
