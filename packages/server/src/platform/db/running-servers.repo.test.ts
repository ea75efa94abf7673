import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  createPostgresDatabase,
  postgresEnvironment,
  type RunningPostgres,
  startPostgres,
} from '@atelier/testing';
import pg from 'pg';

import { Secret } from '../secret.ts';
import { openPostgres } from './open-database.ts';
import { countRunningServers } from './running-servers.repo.ts';

const [shared = ''] = Object.keys(postgresEnvironment({ url: '' }));
let own: RunningPostgres | undefined;
before(async () => {
  if (process.env[shared] !== undefined) return;
  own = await startPostgres();
  Object.assign(process.env, postgresEnvironment(own));
});
after(async () => {
  await own?.stop();
});

it('servers are counted by their connections for events, and a command is not one', async () => {
  const database = await createPostgresDatabase();
  const db = await openPostgres({ url: new Secret(database.url), poolSize: 2, onLost: () => {} });
  assert.equal(await countRunningServers(db), 0);
  const server = new pg.Client({ connectionString: database.url, application_name: 'atelier events' });
  await server.connect();
  assert.equal(await countRunningServers(db), 1);
  await server.end();
  await db.destroy();
  await database.drop();
});
