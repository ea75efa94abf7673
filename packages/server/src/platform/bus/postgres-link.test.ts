import { createPostgresDatabase } from '@atelier/testing';
import pg from 'pg';

import { Secret } from '../secret.ts';
import { createPostgresLink } from './postgres-link.ts';
import { sharedBusContract } from './test/shared-bus.contract.ts';

sharedBusContract('the bus over PostgreSQL', async () => {
  const database = await createPostgresDatabase();
  const url = new Secret(database.url);
  const nowhere = new Secret('postgres://nobody:nothing@127.0.0.1:1/none');
  return {
    openLink: (events) => createPostgresLink(url, events),
    openDeadLink: (events) => createPostgresLink(nowhere, events),
    cut: async () => await endConnections(database.url),
    [Symbol.asyncDispose]: async () => await database.drop(),
  };
});

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier events' and datname = current_database()",
  );
  await client.end();
}
