import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { systemClock } from '../platform/clock.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { createSettingsService } from './settings.service.ts';

const refusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

onEachDatabase('settings', (db) => {
  const start = async () => ({
    settings: createSettingsService({ db: db(), clock: systemClock }),
    userId: (await aUser(db())).id,
  });
  const all = async ({ settings, userId }: Awaited<ReturnType<typeof start>>) =>
    JSON.parse(await settings.read(userId)) as unknown;

  test('[HOST-8] that are set at once are all kept', async () => {
    const one = await start();
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
    await Promise.all(ids.map(async (id) => await one.settings.merge(one.userId, { [id]: id })));
    assert.deepEqual(await all(one), Object.fromEntries(ids.map((id) => [id, id])));
  });

  test('[HOST-9] belong to one user', async () => {
    const [one, other] = [await start(), await start()];
    await one.settings.merge(one.userId, { a: 1 });
    assert.deepEqual(await all(other), {});
    assert.equal(await other.settings.readOne(other.userId, 'a'), null);
  });

  test('[HOST-7] take a mebibyte together, and what is beyond changes nothing', async () => {
    const one = await start();
    const half = 'x'.repeat(600_000);
    await one.settings.merge(one.userId, { a: half });
    await assert.rejects(one.settings.merge(one.userId, { b: half }), refusal('request.too_large'));
    assert.deepEqual(await all(one), { a: half });
    await one.settings.merge(one.userId, { a: 'ü'.repeat(500_000) });
    await assert.rejects(
      one.settings.merge(one.userId, { b: 'ü'.repeat(50_000) }),
      refusal('request.too_large'),
    );
  });

  test('[HOST-7] are nested 100 levels at most', async () => {
    const one = await start();
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    await one.settings.merge(one.userId, { a: nested(99) });
    for (const levels of [101, 100_000]) {
      await assert.rejects(one.settings.merge(one.userId, { a: nested(levels) }), refusal('request.invalid'));
    }
    assert.deepEqual(await all(one), { a: nested(99) });
  });

  test('have no ids that objects have by nature', async () => {
    const one = await start();
    for (const id of ['toString', '__proto__', 'constructor']) {
      assert.equal(await one.settings.readOne(one.userId, id), null);
    }
    await assert.rejects(
      one.settings.merge(one.userId, JSON.parse('{"__proto__": 1}')),
      refusal('request.invalid'),
    );
    await one.settings.merge(one.userId, { constructor: 'mine' });
    assert.equal(await one.settings.readOne(one.userId, 'constructor'), 'mine');
  });
});
