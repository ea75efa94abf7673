import {
  freePort,
  isLongRun,
  type RunningPostgres,
  type RunningServer,
  startPostgres,
  startS3,
  startServer,
  type TestS3,
} from '@atelier/testing';

import { type CuttingProxy, startCuttingProxyAt } from './cutting-proxy.ts';
import { createHosts, type Host } from './hosts.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type RemoteWorker, startRemoteWorker } from './remote-worker.ts';

const SERVERS = 3;
const WORKERS = 2;
const PRELOAD = import.meta.resolve('./skewed-clock-preload.ts');
/** Of each server. Jobs are leased by times in rows. */
const CLOCKS_AHEAD_MS = [0, 30_000, -30_000];

/**
 * Three servers and two workers as an operator would run them: one PostgreSQL, one bucket, no folder in common. In the long run each is a
 * host of its own where the machine allows it, else a process.
 */
export interface Fleet extends AsyncDisposable {
  /** Those of the servers, then those of the workers; none where they are processes. */
  readonly hosts: readonly Host[];
  /** Each keeps its address when it is restarted. */
  readonly servers: RunningServer[];
  readonly workers: RemoteWorker[];
  readonly postgres: RunningPostgres;
  /** The servers' way to PostgreSQL. */
  readonly database: CuttingProxy;
  /** The workers' way to the servers: any of them. */
  readonly door: CuttingProxy;
  readonly s3: TestS3;
  /** Receives webhooks. */
  readonly receiver: Receiver;
  restartServer(index: number, signal?: NodeJS.Signals): Promise<void>;
  restartWorker(index: number): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  await using started = new AsyncDisposableStack();
  const separate = isLongRun ? await createHosts(SERVERS + WORKERS) : undefined;
  started.use(separate);
  const { hosts = [], gateway = '127.0.0.1' } = separate ?? {};
  const postgres = await startPostgres();
  started.defer(postgres.stop);
  const database = started.use(await startCuttingProxyAt(gateway, postgres.url));
  const s3 = started.use(await startS3());
  const bucket = started.use(await startCuttingProxyAt(gateway, s3.url));
  const receiver = await startReceiver();
  started.defer(receiver.close);
  const receiverWay = started.use(await startCuttingProxyAt(gateway, receiver.url('/')));
  const url = new URL(postgres.url);
  url.host = new URL(database.url).host;
  const shared = {
    ...s3.environment,
    ATELIER_S3_ENDPOINT: bucket.url,
    ATELIER_DATABASE_URL: url.href,
    ATELIER_OUTBOUND_ALLOW: new URL(receiverWay.url).host,
    ATELIER_RUNNERS: '0',
    ATELIER_RENDERERS: '1',
    ATELIER_SKIN_CREDITS: '3',
    NODE_OPTIONS: `--import=${PRELOAD}`,
  };

  const servers: RunningServer[] = [];
  started.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  for (let index = 0; index < SERVERS; index += 1) {
    const environment = {
      ...shared,
      ATELIER_HOST: hosts[index]?.address ?? '127.0.0.1',
      ATELIER_PORT: String(await freePort()),
      CLOCK_AHEAD_MS: String(CLOCKS_AHEAD_MS[index]),
    };
    const { admin } = servers[0] ?? {};
    const prefix = hosts[index]?.command ?? [];
    servers.push(await startServer({ environment, prefix, ...(admin ? { admin } : {}) }));
  }
  const [first] = servers;
  if (!first) throw new Error('there is no server');
  const door = started.use(await startCuttingProxyAt(gateway, ...servers.map((server) => server.url)));

  const workers: RemoteWorker[] = [];
  started.defer(async () => {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  });
  const startWorker = async (index: number): Promise<void> => {
    const name = `worker-${index}-${Math.random()}`;
    const prefix = hosts[SERVERS + index]?.command ?? [];
    const options = { name, url: door.url, args: ['--slots', '2'], prefix };
    workers[index] = await startRemoteWorker(servers[0] ?? first, options);
  };
  for (let index = 0; index < WORKERS; index += 1) await startWorker(index);

  const kept = started.move();
  return {
    hosts,
    servers,
    workers,
    postgres,
    database,
    door,
    s3,
    receiver: { ...receiver, url: (path) => new URL(path, receiverWay.url).href },
    async restartServer(index, signal = 'SIGTERM') {
      const server = servers[index];
      if (!server) throw new Error(`there is no server ${index}`);
      await server.stop(signal);
      servers[index] = await server.restart();
    },
    async restartWorker(index) {
      await workers[index]?.[Symbol.asyncDispose]();
      await startWorker(index);
    },
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  };
}
