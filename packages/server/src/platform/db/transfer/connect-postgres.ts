import pg from 'pg';

import type { Secret } from '../../secret.ts';
import { postgresUnusable } from '../open-database.ts';

const CONNECT_MS = 5_000;

interface ConnectOptions {
  readonly types?: pg.CustomTypesConfig;
  /** The variable that has the URL, for the error. */
  readonly setting?: string | undefined;
}

/** A connection for a command, besides those of servers. */
export async function connectPostgres(url: Secret, { types, setting }: ConnectOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'atelier admin',
    keepAlive: true,
    ...(types && { types }),
  });
  // Queries fail too and report it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw postgresUnusable(url, error, setting);
  }
}

/**
 * Locks a PostgreSQL database against other commands that would fill it. `undefined` when one of them has the lock. The lock
 * belongs to the connection, so it ends with the process.
 */
export async function holdPostgres(url: Secret, setting?: string): Promise<AsyncDisposable | undefined> {
  const client = await connectPostgres(url, { setting });
  try {
    const lock = "select pg_try_advisory_lock(hashtextextended('atelier:fill', 0)) as is_held";
    const { rows } = await client.query<{ is_held: boolean }>(lock);
    if (rows[0]?.is_held) return { [Symbol.asyncDispose]: async () => await client.end() };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw postgresUnusable(url, error, setting);
  }
  await client.end();
  return undefined;
}
