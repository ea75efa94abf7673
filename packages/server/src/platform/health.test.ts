import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { createHealth } from './health.ts';

onEachDatabase('health', (db) => {
  function aServer(dataFolder: string) {
    const time = { now: 1_000_000 };
    const errors: unknown[] = [];
    const health = createHealth({
      db: db(),
      clock: () => time.now,
      dataFolder,
      onError: (error) => errors.push(error),
    });
    return { time, errors, health };
  }

  it('is good while the folder and the database can be written', async () => {
    await using folder = await temporaryFolder();
    const { health, errors } = aServer(folder.path);
    assert.equal(await health.problem(), undefined);
    assert.deepEqual(errors, []);
  });

  it('is bad without a folder to write to, and says why in the log', async () => {
    await using folder = await temporaryFolder();
    const { health, errors } = aServer(join(folder.path, 'none'));
    assert.equal(await health.problem(), 'The data folder cannot be written.');
    assert.equal(errors.length, 1);
  });

  it('is bad for a while after PostgreSQL had no room', async () => {
    await using folder = await temporaryFolder();
    const { health, time } = aServer(folder.path);
    health.note(new Error('something else'));
    assert.equal(await health.problem(), undefined);
    time.now += 2000;
    health.note(Object.assign(new Error('could not extend file'), { code: '53100' }));
    assert.equal(await health.problem(), 'The disk is full.');
    time.now += 60_000;
    assert.equal(await health.problem(), undefined);
  });
});
