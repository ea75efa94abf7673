import assert from 'node:assert/strict';
import { it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { openSigningKeys } from './signing-keys.ts';
import { createTokens } from './tokens.service.ts';

const DAY_MS = 86_400_000;
const user = { id: 'u1', email: 'ada@example.com', name: 'Ada' };

onEachDatabase('signing keys', (db) => {
  it('are replaced when they are old, verify until their last token has expired, and are then deleted', async () => {
    let now = Date.now();
    const clock = () => now;
    const settings = { db: db(), clock, keyDays: 30, tokenSeconds: 3600 };
    const keys = await openSigningKeys(settings);
    const tokens = createTokens({ keys, clock, tokenSeconds: 3600 });
    const firstKey = keys.current().id;

    now += 30 * DAY_MS - 1000;
    await keys.maintain();
    assert.equal(keys.current().id, firstKey);
    const { access_token: lastOfFirst } = await tokens.issue({ ...user, at: now });

    now += 1000;
    await keys.maintain();
    assert.notEqual(keys.current().id, firstKey);
    assert.equal(keys.published().length, 2);
    assert.equal((await tokens.verify(lastOfFirst))?.userId, user.id);

    now += 3600 * 1000;
    assert.equal(await tokens.verify(lastOfFirst), undefined);
    now += 10 * 60_000;
    await keys.maintain();
    assert.deepEqual(
      keys.published().map(({ kid }) => kid),
      [keys.current().id],
    );
  });

  it('of another server are found when one of its tokens arrives', async () => {
    let now = Date.now() + 100 * DAY_MS;
    const clock = () => now;
    const settings = { db: db(), clock, keyDays: 30, tokenSeconds: 3600 };
    const here = await openSigningKeys(settings);
    const there = await openSigningKeys(settings);
    now += 10_000;
    await there.rotate();
    const { access_token } = await createTokens({ keys: there, clock, tokenSeconds: 3600 }).issue({
      ...user,
      at: now,
    });
    const claims = await createTokens({ keys: here, clock, tokenSeconds: 3600 }).verify(access_token);
    assert.equal(claims?.userId, user.id);
  });

  it('never publish a private part', async () => {
    const keys = await openSigningKeys({ db: db(), clock: Date.now, keyDays: 30, tokenSeconds: 60 });
    for (const jwk of keys.published()) assert.equal('d' in jwk, false);
  });
});
