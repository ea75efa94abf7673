import assert from 'node:assert/strict';
import { it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { newId } from '../platform/ids.ts';
import { createSignIn, FAILURE_WINDOW_MS } from './sign-in.service.ts';
import { deleteFailuresBefore, insertFailures, nthNewestFailure } from './sign-in-failures.repo.ts';

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
    const signIn = createSignIn({ db: db(), clock: () => now });
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

  it('count IPv6 addresses by their /64 network', async () => {
    const signIn = createSignIn({ db: db(), clock: () => 5_000_000 });
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
