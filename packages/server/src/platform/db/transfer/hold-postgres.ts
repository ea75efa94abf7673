import pg from 'pg';

import type { Secret } from '../../secret.ts';
import { postgresUnusable } from '../open-database.ts';

const CONNECT_MS = 5_000;

/**
 * A lock on a PostgreSQL database for who fills it. `undefined` when somebody else has it. It is that of a connection, so it goes when the
 * process ends, however it ends.
 */
export async function holdPostgres(url: Secret, setting?: string): Promise<AsyncDisposable | undefined> {
  const client = new pg.Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'atelier admin',
    keepAlive: true,
  });
  // What works on the database fails as well, and says so.
  client.on('error', () => {});
  try {
    await client.connect();
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
