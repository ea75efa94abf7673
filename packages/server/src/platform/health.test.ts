import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { MIGRATIONS } from './db/migrations/index.ts';
import { createHealth } from './health.ts';

onEachDatabase('health', (db) => {
  function aServer(dataFolder: string) {
    const time = { now: 1_000_000 };
    const errors: unknown[] = [];
    const disk = { isLow: false };
    const store = { asked: 0, isGone: false };
    const health = createHealth({
      db: db(),
      clock: () => time.now,
      dataFolder,
      space: { isLow: async () => disk.isLow },
      askStore: async () => {
        store.asked += 1;
        if (store.isGone) throw new Error('gone');
      },
      onError: (error) => errors.push(error),
    });
    return { time, errors, disk, store, health };
  }

  it('is healthy while the folder and the database can be written', async () => {
    await using folder = await temporaryFolder();
    const { health, errors } = aServer(folder.path);
    assert.equal(await health.problem(), undefined);
    assert.deepEqual(errors, []);
  });

  it('is unhealthy without a writable folder, and logs why', async () => {
    await using folder = await temporaryFolder();
    const { health, errors } = aServer(join(folder.path, 'none'));
    assert.equal(await health.problem(), 'The data folder cannot be written.');
    assert.equal(errors.length, 1);
  });

  it('is unhealthy for a while after PostgreSQL had no room', async () => {
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

  it('asks an S3 store every 5 seconds, however often it is asked itself', async () => {
    await using folder = await temporaryFolder();
    const { health, time, store } = aServer(folder.path);
    for (let second = 0; second < 10; second += 1) {
      assert.equal(await health.problem(), undefined);
      time.now += 1000;
    }
    assert.equal(store.asked, 2);
    store.isGone = true;
    time.now += 5000;
    assert.equal(await health.problem(), 'The file store does not answer.');
    assert.equal((await health.checks()).store, 'The file store does not answer.');
  });

  it('is unhealthy for a while after the store refused a file, and shows why', async () => {
    await using folder = await temporaryFolder();
    const { health, time } = aServer(folder.path);
    health.noteRefusedFile('QuotaExceeded');
    const sentence = 'The file store refuses to store files (QuotaExceeded).';
    assert.equal(await health.problem(), sentence);
    time.now += 14_000;
    assert.equal((await health.checks()).store, sentence);
    time.now += 1000;
    assert.equal(await health.problem(), undefined);
  });

  it('is healthy while the disk is almost full, but that check fails', async () => {
    await using folder = await temporaryFolder();
    const { health, disk } = aServer(folder.path);
    disk.isLow = true;
    assert.equal(await health.problem(), undefined);
    assert.match((await health.checks()).disk ?? '', /almost full/);
  });

  it('names a migration that the database lacks', async () => {
    await using folder = await temporaryFolder();
    const { health } = aServer(folder.path);
    const newest = Object.keys(MIGRATIONS).toSorted().at(-1) ?? '';
    await db().deleteFrom('migrations').where('name', '=', newest).execute();
    assert.equal(
      (await health.checks()).migrations,
      `The database lacks migration ${newest}. Restart the server.`,
    );
  });
});
