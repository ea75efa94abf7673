import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPostgresDatabase, startServer } from '@atelier/testing';
import { download, newSubmitter } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { inUse, runAdmin } from '../support/run-admin.ts';
import { makePicture } from '../support/whole-installation.ts';

test('[ADM-36] an installation moves from SQLite to PostgreSQL, and goes on with the next numbers', async () => {
  await using server = await startServer({ environment: { ATELIER_RUNNERS: '1' } });
  await using ending = new AsyncDisposableStack();
  const database = await createPostgresDatabase();
  ending.defer(async () => await database.drop());
  const settings = { ATELIER_DATA_DIR: server.dataFolder };
  const move = async (to = database.url, more = {}) =>
    await runAdmin({ ...settings, ...more }, ['move-database', '--to', to]);
  const { api, key } = await newSubmitter(server);
  const picture = await makePicture(server, key);
  const before = await download(api, picture);
  const jobs = await api.get('/api/jobs');

  const running = await move();
  assert.deepEqual([running.code, running.text], [1, inUse(server.dataFolder)]);
  await server.stop();
  const file = join(server.dataFolder, 'atelier.sqlite');
  const hashOf = async () => hash('sha256', await readFile(file));
  const untouched = await hashOf();
  const bad = await move('mysql://db/atelier');
  assert.match(bad.text, /^--to is the address of a PostgreSQL database/);
  assert.equal(bad.code, 2);
  const nowhere = await move('postgres://atelier@127.0.0.1:1/atelier');
  assert.match(nowhere.text, /^PostgreSQL at 127\.0\.0\.1:1\/atelier cannot be used .+ Check --to and/);
  const set = await move(database.url, { ATELIER_DATABASE_URL: database.url });
  assert.match(set.text, /^ATELIER_DATABASE_URL is set/);
  assert.equal(set.code, 2);
  const moved = await move();
  assert.equal(moved.code, 0, moved.text);
  assert.match(moved.text, /Set ATELIER_DATABASE_URL to this address before the next start/);
  assert.doesNotMatch(moved.text, /postgres:\/\//, 'the password is not shown');
  const again = await move();
  assert.deepEqual(
    [again.code, again.text],
    [1, 'The PostgreSQL database is not empty. Nothing was changed.\n'],
  );
  assert.equal(await hashOf(), untouched);

  await using started = await server.restart({ ATELIER_DATABASE_URL: database.url });
  const onPostgres = client(started.url, { apiKey: key });
  assert.deepEqual((await onPostgres.get('/api/jobs')).body, jobs.body);
  assert.deepEqual(await download(onPostgres, picture), before);
  assert.equal((await makePicture(started, key)).filename, 'picture_00002_.png');
  const { body } = await onPostgres.get<{ jobs: { id: string }[] }>('/api/jobs');
  assert.equal(body.jobs.length, 2);
});
