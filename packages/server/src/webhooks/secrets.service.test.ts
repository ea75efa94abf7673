import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { Secret } from '../platform/secret.ts';
import { createSecretsService } from './secrets.service.ts';
import { anAccount, NO_ADMINISTRATION } from './test/webhooks-on.ts';

const HOUR = 3_600_000;
const ADMIN = { userId: 'admin', email: 'admin@example.com', name: 'Ada', role: 'admin' } as const;

onEachDatabase('webhook secrets', (db) => {
  const create = (serverKey = new Secret<Uint8Array>(randomBytes(32))) => {
    const time = { now: 1_000_000 };
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    return {
      time,
      errors,
      ...createSecretsService({
        ...NO_ADMINISTRATION,
        db: db(),
        clock: () => time.now,
        serverKey,
        findPeople: async (ids) => ids.map((id) => ({ id, email: 'user@example.com' })),
        onError,
      }),
    };
  };
  const keyIn = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');

  it('are 32 random bytes, constant for one account and different for another', async () => {
    const secrets = create();
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    const secret = await secrets.current(one);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(await secrets.current(one), secret);
    assert.notEqual(await secrets.current(other), secret);
    const keys = await secrets.keysOf([one, other]);
    assert.deepEqual(keys.get(one), [keyIn(secret)]);
  });

  it('are created once for concurrent first requests', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    const asked = await Promise.all(Array.from({ length: 8 }, async () => await secrets.current(userId)));
    assert.equal(new Set(asked).size, 1);
  });

  it('sign beside the new one for 24 hours after a rotation', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    const old = await secrets.current(userId);
    const fresh = await secrets.rotate(userId);
    assert.notEqual(fresh, old);
    assert.equal(await secrets.current(userId), fresh);
    secrets.time.now += 24 * HOUR - 1;
    assert.deepEqual((await secrets.keysOf([userId])).get(userId), [keyIn(fresh), keyIn(old)]);
    secrets.time.now += 1;
    assert.deepEqual((await secrets.keysOf([userId])).get(userId), [keyIn(fresh)]);
  });

  it('can end at once on rotation, with those of earlier rotations', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    await secrets.rotate(userId);
    await secrets.rotate(userId);
    await secrets.rotateFor(ADMIN, userId, { endsAtOnce: true });
    const fresh = await secrets.current(userId);
    assert.deepEqual((await secrets.keysOf([userId])).get(userId), [keyIn(fresh)]);
  });

  it('never sign with more than the newest five', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    const made: string[] = [];
    for (let turn = 0; turn < 7; turn += 1) made.push(await secrets.rotate(userId));
    assert.deepEqual((await secrets.keysOf([userId])).get(userId), made.toReversed().slice(0, 5).map(keyIn));
  });

  it('have one current secret after concurrent rotations', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    const made = await Promise.all(Array.from({ length: 4 }, async () => await secrets.rotate(userId)));
    const keys = (await secrets.keysOf([userId])).get(userId) ?? [];
    assert.equal(keys.length, 4);
    assert.ok(made.includes(await secrets.current(userId)));
  });

  it('are encrypted in the database and can be opened only with the key of the server', async () => {
    const secrets = create();
    const userId = await anAccount(db());
    const key = keyIn(await secrets.current(userId));
    const { sealed } = await db()
      .selectFrom('webhook_secrets')
      .select('sealed')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    assert.equal(Buffer.from(sealed).includes(key), false);
    const stranger = create();
    assert.equal((await stranger.keysOf([userId])).get(userId), undefined);
    assert.equal(stranger.errors.length, 1);
    await assert.rejects(stranger.current(userId));
  });

  it('cannot be opened in the row of another account', async () => {
    const secrets = create();
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    await secrets.keysOf([one, other]);
    const { sealed } = await db()
      .selectFrom('webhook_secrets')
      .select('sealed')
      .where('user_id', '=', one)
      .executeTakeFirstOrThrow();
    await db().updateTable('webhook_secrets').set({ sealed }).where('user_id', '=', other).execute();
    const keys = await secrets.keysOf([one, other]);
    assert.equal(keys.get(one)?.length, 1);
    assert.equal(keys.get(other), undefined);
  });
});
