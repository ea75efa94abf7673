import {
  freePort,
  type RunningPostgres,
  type RunningServer,
  startPostgres,
  startS3,
  startServer,
  type TestS3,
} from '@atelier/testing';

import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type RemoteWorker, startRemoteWorker } from './remote-worker.ts';

const SERVERS = 3;
const WORKERS = 2;
const PRELOAD = import.meta.resolve('./skewed-clock-preload.ts');
/** Of each server. Jobs are leased by times in rows. */
const CLOCKS_AHEAD_MS = [0, 30_000, -30_000];

/** Three servers and two workers as an operator would run them: one PostgreSQL, one bucket, no folder in common. */
export interface Fleet extends AsyncDisposable {
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
  const postgres = await startPostgres();
  started.defer(postgres.stop);
  const database = started.use(await startCuttingProxy(postgres.url));
  const s3 = started.use(await startS3());
  const receiver = await startReceiver();
  started.defer(receiver.close);
  const url = new URL(postgres.url);
  url.port = String(database.port);
  const shared = {
    ...s3.environment,
    ATELIER_DATABASE_URL: url.href,
    ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
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
      ATELIER_PORT: String(await freePort()),
      CLOCK_AHEAD_MS: String(CLOCKS_AHEAD_MS[index]),
    };
    const { admin } = servers[0] ?? {};
    servers.push(await startServer({ environment, ...(admin ? { admin } : {}) }));
  }
  const [first] = servers;
  if (!first) throw new Error('there is no server');
  const door = started.use(await startCuttingProxy(...servers.map((server) => server.url)));

  const workers: RemoteWorker[] = [];
  started.defer(async () => {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  });
  const startWorker = async (index: number): Promise<void> => {
    const options = { name: `worker-${index}-${Math.random()}`, url: door.url, args: ['--slots', '2'] };
    workers[index] = await startRemoteWorker(servers[0] ?? first, options);
  };
  for (let index = 0; index < WORKERS; index += 1) await startWorker(index);

  const kept = started.move();
  return {
    servers,
    workers,
    postgres,
    database,
    door,
    s3,
    receiver,
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
