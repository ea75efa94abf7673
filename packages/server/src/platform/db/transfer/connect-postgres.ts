import pg from 'pg';

import type { Secret } from '../../secret.ts';
import { postgresUnusable } from '../open-database.ts';

const CONNECT_MS = 5_000;

interface ConnectOptions {
  readonly types?: pg.CustomTypesConfig;
  /** Where the address comes from, for the error. */
  readonly setting?: string | undefined;
}

/** A connection for a command, beside those of servers. */
export async function connectPostgres(url: Secret, { types, setting }: ConnectOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'atelier admin',
    keepAlive: true,
    ...(types && { types }),
  });
  // What was asked fails as well, and says so.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw postgresUnusable(url, error, setting);
  }
}
