import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createPostgresDatabase, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';
import Fastify from 'fastify';

import { type Db, withTransaction } from '../packages/server/src/platform/db/database.ts';
import { openPostgres, openSqlite } from '../packages/server/src/platform/db/open-database.ts';
import { createLocalFileStore } from '../packages/server/src/platform/files/local-file-store.ts';
import { Secret } from '../packages/server/src/platform/secret.ts';
import { startChild } from './child.ts';
import { httpLoad, type Requests } from './http-load.ts';
import type { Bench, MakeLoad } from './row.ts';

interface ServerOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes what the server finds when it starts. */
  readonly seed?: (tx: Db) => Promise<void>;
}

/** The real server with data of its own. `startMs` is from the start of its process to the first answer of `/health`. */
export async function startOurs({ engine, cleanUp }: Bench, { environment = {}, seed }: ServerOptions = {}) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  if (database) cleanUp.defer(async () => await database.drop());
  const settings = database ? { ATELIER_DATABASE_URL: database.url } : {};
  const timed = async (starting: Promise<RunningServer>) => {
    const begin = performance.now();
    const server = cleanUp.use(await starting);
    await fetch(`${server.url}/health`);
    const startMs = performance.now() - begin;
    return { ...server, pid: server.process.pid, startMs, databaseUrl: database?.url };
  };
  if (!seed) return await timed(startServer({ environment: { ...settings, ...environment } }));
  // Its worker describes the node types: a server without one knows them from the database.
  const fresh = await startServer({ environment: settings });
  await fetch(`${fresh.url}/object_info`, { headers: { 'x-api-key': fresh.admin.api_key } });
  // SQLite lets in one program at a time.
  await fresh.stop();
  const db = await openDatabase({ dataFolder: fresh.dataFolder, databaseUrl: database?.url });
  await withTransaction(db, seed);
  await db.destroy();
  return await timed(fresh.restart(environment));
}

interface Where {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
}

/** The database of a server that does not run. */
export async function openDatabase({ dataFolder, databaseUrl }: Where): Promise<Db> {
  return databaseUrl === undefined
    ? await openSqlite(join(dataFolder, 'atelier.sqlite'))
    : await openPostgres({ url: new Secret(databaseUrl), poolSize: 2, onLost: () => {} });
}

/** Makes something once for the same arguments: rows share servers. */
export function shared<Args extends unknown[], Made>(
  make: (bench: Bench, ...args: Args) => Promise<Made>,
): typeof make {
  const made = new Map<string, Promise<Made>>();
  return async (bench, ...args) =>
    await made.getOrInsertComputed(JSON.stringify(args), async () => await make(bench, ...args));
}

/** With its usual settings and an empty database. */
export const usualServer = shared(async (bench) => await startOurs(bench));

/** Fastify with nothing around it: the yardstick of most ratios. */
export const bareServer = shared(async ({ cleanUp }) => {
  const { path: folder } = cleanUp.use(await temporaryFolder());
  const { answer: url, pid } = cleanUp.use(await startChild(import.meta.filename, serveBare, { folder }));
  return { url, pid, folder };
});

/** A route that answers `{"ok":true}`. */
export function bareRoute(requests: Partial<Requests> = {}): MakeLoad {
  return async (bench) => httpLoad(await bareServer(bench), { paths: ['/bare'], ...requests });
}

/** Returns its address. */
export async function serveBare({ folder }: { readonly folder: string }): Promise<string> {
  const app = Fastify({ bodyLimit: 72 * 1024 * 1024 });
  const store = await createLocalFileStore({ folder, signer: { sign: () => '' } });
  const ok = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const schema = { response: { 200: ok } };
  app.get('/bare', { schema }, async () => ({ ok: true }));
  app.post('/bare', { schema }, async () => ({ ok: true }));
  app.post<{ Body: { image: string } }>('/store', { schema }, async ({ body }) => {
    await store.put(Readable.from([Buffer.from(body.image, 'base64')]), { maxBytes: body.image.length });
    return { ok: true };
  });
  return await app.listen({ host: '127.0.0.1', port: 0 });
}
