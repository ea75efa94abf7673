import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';
import { sql } from 'kysely';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { Secret } from '../../platform/secret.ts';
import { setPasswordHash } from '../users.repo.ts';
import { FAILURE_WINDOW_MS } from './failure-limits.ts';
import { hashPassword } from './passwords.ts';
import {
  deleteFailuresBefore,
  insertFailures,
  isKnownAddress,
  nthNewestFailure,
  rememberAddress,
} from './sign-in.repo.ts';
import { createSignIn } from './sign-in.service.ts';

const addressKey = new Secret(randomBytes(32));

onEachDatabase('failed sign-ins', (db) => {
  it('are counted per scope, within the window', async () => {
    const scope = newId();
    for (const at of [10, 20, 30]) await insertFailures(db(), [scope, 'other'], at);
    const newest = async (rank: number, since: number) =>
      await nthNewestFailure(db(), scope, { rank, since });
    assert.equal(await newest(1, 0), 30);
    assert.equal(await newest(3, 0), 10);
    assert.equal(await newest(4, 0), undefined);
    assert.equal(await newest(3, 10), undefined);
    await deleteFailuresBefore(db(), 20);
    assert.equal(await newest(1, 0), 30);
    assert.equal(await newest(2, 0), undefined);
  });

  it('block an account until the oldest of ten is fifteen minutes old, and say when that is', async () => {
    let now = 1_000_000;
    const signIn = createSignIn({ db: db(), clock: () => now, addressKey });
    const attempt = async () =>
      await signIn({ email: 'ghost@example.com', password: 'wrong', address: '203.0.113.1' }).catch(
        (error: { code: string; retryAfterSeconds?: number }) => error,
      );
    for (let n = 0; n < 10; n += 1) {
      assert.equal(((await attempt()) as { code: string }).code, 'auth.wrong_password');
      now += 1000;
    }
    const blocked = (await attempt()) as { code: string; retryAfterSeconds: number };
    assert.equal(blocked.code, 'auth.too_many_failures');
    assert.equal(blocked.retryAfterSeconds, FAILURE_WINDOW_MS / 1000 - 10);

    now = 1_000_000 + FAILURE_WINDOW_MS;
    const again = (await attempt()) as { code: string };
    assert.equal(again.code, 'auth.wrong_password');
  });

  it('are counted separately at the last addresses that the account has used', async () => {
    const { id: user_id } = await aUser(db());
    const hashes = [newId(), newId(), newId()];
    for (const [used_at, hash] of hashes.entries())
      await rememberAddress(db(), { hash, user_id, used_at }, 2);
    const [oldest = '', middle = '', newest = ''] = hashes;
    assert.deepEqual(
      [
        await isKnownAddress(db(), oldest),
        await isKnownAddress(db(), middle),
        await isKnownAddress(db(), newest),
      ],
      [false, true, true],
    );
    await rememberAddress(db(), { hash: middle, user_id, used_at: 10 }, 2);
    await rememberAddress(db(), { hash: oldest, user_id, used_at: 11 }, 2);
    assert.equal(await isKnownAddress(db(), middle), true, 'it was used again');
    assert.equal(await isKnownAddress(db(), newest), false);
  });

  it('count IPv6 addresses by their /64 network', async () => {
    const signIn = createSignIn({ db: db(), clock: () => 5_000_000, addressKey });
    const codes: string[] = [];
    for (let n = 0; n < 31; n += 1) {
      const attempt = {
        email: `${newId()}@example.com`,
        password: 'x',
        address: `2001:db8::${n.toString(16)}`,
      };
      await signIn(attempt).catch((error: { code: string }) => codes.push(error.code));
    }
    assert.equal(codes[29], 'auth.wrong_password');
    assert.equal(codes[30], 'auth.too_many_failures');
  });
});

onEachDatabase('a sign-in', (db, engine) => {
  // SQLite runs one transaction at a time.
  if (engine === 'sqlite') return;

  it('with the old password fails while the new one is being stored', async () => {
    const { id, email } = await aUser(db());
    const [before, after] = [await hashPassword('the old password'), await hashPassword('the new password')];
    await setPasswordHash(db(), id, before, 0);
    const signIn = createSignIn({ db: db(), clock: systemClock, addressKey });
    const attempt = async (password: string) =>
      await signIn({ email, password, address: '203.0.113.9' }).then(
        () => 'in',
        (error: { code: string }) => error.code,
      );
    const old = await withTransaction(db(), async (tx) => {
      await setPasswordHash(tx, id, after, systemClock());
      const trying = attempt('the old password');
      await untilSomebodyWaits(db());
      return { trying };
    });
    assert.equal(await old.trying, 'auth.wrong_password');
    assert.equal(await attempt('the new password'), 'in');
  });
});

async function untilSomebodyWaits(db: Db): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    if (rows.length > 0) return;
    deadline.throwIfAborted();
    await delay(10);
  }
}
