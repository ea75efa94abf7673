import type { Secret } from '../../secret.ts';
import { postgresUnusable } from '../open-database.ts';
import { connectPostgres } from './connect-postgres.ts';

/**
 * Locks a PostgreSQL database against other commands that would fill it. `undefined` when one of them has the lock. The connection holds it,
 * so it goes when the process ends, however it ends.
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
