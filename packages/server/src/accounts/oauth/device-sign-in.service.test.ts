import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import { newId } from '../../platform/ids.ts';
import { Secret } from '../../platform/secret.ts';
import { listApiKeys } from '../credentials/api-keys.repo.ts';
import { createApiKeysService } from '../credentials/api-keys.service.ts';
import { setBan, setPasswordHash } from '../users.repo.ts';
import { createDeviceSignIn, LIFETIME_MS } from './device-sign-in.service.ts';
import { deleteDeviceSignInsBefore, findByDeviceCode } from './device-sign-ins.repo.ts';

const codeKey = new Secret(randomBytes(32));
const CLIENT = 'atelier-cli';

onEachDatabase('signing in on a device', (db) => {
  /** Servers on one database with a manual clock. */
  const start = () => {
    const time = { now: 1_000_000 };
    const clock = () => time.now;
    const apiKeys = createApiKeysService({ db: db(), clock, onRevoked: () => undefined });
    return { time, devices: createDeviceSignIn({ db: db(), clock, codeKey, apiKeys }) };
  };
  const begin = async (
    { devices }: ReturnType<typeof start>,
    address = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`,
  ) =>
    await devices.begin({ clientId: CLIENT, deviceName: 'box', scopes: ['workflows', 'registry'], address });

  it('[ACC-8] a program that polls too often must wait five seconds longer each time', async () => {
    const server = start();
    const { deviceCode } = await begin(server);
    const poll = async (afterMs: number) => {
      server.time.now += afterMs;
      return await server.devices.poll(deviceCode, CLIENT);
    };
    assert.equal(await poll(0), 'authorization_pending');
    assert.equal(await poll(5000), 'authorization_pending');
    assert.equal(await poll(4500), 'authorization_pending', 'timers are not exact');
    assert.equal(await poll(1000), 'slow_down');
    assert.equal(await poll(5000), 'slow_down', 'ten seconds now');
    assert.equal(await poll(15_000), 'authorization_pending', 'fifteen');
    assert.equal(await poll(5000), 'slow_down');
    for (let n = 0; n < 20; n += 1) assert.equal(await poll(10), 'slow_down');
    assert.equal(await poll(60_000), 'authorization_pending', 'never more than a minute');
    const twins = await Promise.all([poll(60_000), server.devices.poll(deviceCode, CLIENT)]);
    assert.deepEqual(twins.toSorted(), ['authorization_pending', 'slow_down']);
  });

  it('[ACC-7] codes expire after ten minutes, for the program and for the person', async () => {
    const server = start();
    const { id } = await aUser(db());
    const [waiting, allowed] = [await begin(server), await begin(server)];
    assert.equal(await server.devices.allow(allowed.userCode, { id, at: server.time.now }), true);
    server.time.now += LIFETIME_MS;
    const seen = { address: '203.0.113.9', userId: undefined };
    assert.equal(await server.devices.find(waiting.userCode, seen), undefined);
    assert.equal(await server.devices.allow(waiting.userCode, { id, at: server.time.now }), false);
    assert.equal(await server.devices.deny(waiting.userCode), false);
    for (const { deviceCode } of [waiting, allowed]) {
      assert.equal(await server.devices.poll(deviceCode, CLIENT), 'expired_token');
    }
    assert.deepEqual(await listApiKeys(db(), id), []);
    await deleteDeviceSignInsBefore(db(), server.time.now - 1);
    assert.ok(await findByDeviceCode(db(), hashCredential(waiting.deviceCode)));
    await deleteDeviceSignInsBefore(db(), server.time.now);
    assert.equal(await server.devices.poll(waiting.deviceCode, CLIENT), 'invalid_grant');
  });

  it('[ACC-8] concurrent polls get one key, also from two servers', async () => {
    const server = start();
    const { id } = await aUser(db());
    const { deviceCode, userCode } = await begin(server);
    const other = start();
    assert.equal(await other.devices.allow(userCode, { id, at: server.time.now }), true);
    const answers = await Promise.all(
      [server, other, server, other].map(async ({ devices }) => await devices.poll(deviceCode, CLIENT)),
    );
    assert.equal(answers.filter((answer) => typeof answer === 'object').length, 1);
    assert.equal(answers.filter((answer) => answer === 'invalid_grant').length, 3);
    const [key, ...more] = await listApiKeys(db(), id);
    assert.deepEqual(
      [key?.name, key?.scopes, more.length],
      ['Atelier command line on box', 'workflows registry', 0],
    );
  });

  it('[ACC-8] one of two concurrent decisions counts', async () => {
    const server = start();
    const { id } = await aUser(db());
    const { userCode } = await begin(server);
    const decisions = await Promise.all([
      server.devices.allow(userCode, { id, at: server.time.now }),
      server.devices.deny(userCode),
      server.devices.allow(userCode, { id, at: server.time.now }),
    ]);
    assert.equal(decisions.filter(Boolean).length, 1);
  });

  it('[ACC-8] no key after a new password or a ban, or for another client', async () => {
    const server = start();
    const { id } = await aUser(db());
    const [first, second] = [await begin(server), await begin(server)];
    for (const { userCode } of [first, second]) {
      await server.devices.allow(userCode, { id, at: server.time.now });
    }
    assert.equal(await server.devices.poll(first.deviceCode, 'comfy-cli'), 'invalid_grant');
    await setBan(db(), id, 'reason');
    await assert.rejects(server.devices.poll(first.deviceCode, CLIENT), { code: 'auth.banned' });
    await setBan(db(), id, null);
    assert.equal(typeof (await server.devices.poll(first.deviceCode, CLIENT)), 'object');
    await setPasswordHash(db(), id, 'another', server.time.now + 1);
    assert.equal(await server.devices.poll(second.deviceCode, CLIENT), 'invalid_grant');
  });

  it('[ACC-10] wrong codes are limited per address and per account, and then the right one is refused too', async () => {
    const server = start();
    const { userCode } = await begin(server);
    const guess = async (code: string, address: string, userId?: string) =>
      await server.devices.find(code, { address, userId }).catch((error: { code: string }) => error.code);
    for (let n = 0; n < 30; n += 1) assert.equal(await guess('BBBB-BBBB', '198.51.100.7'), undefined);
    assert.equal(await guess(userCode, '198.51.100.7'), 'auth.too_many_failures');
    const userId = newId();
    for (let n = 0; n < 10; n += 1) assert.equal(await guess('', `198.51.100.${n + 20}`, userId), undefined);
    assert.equal(await guess(userCode, '198.51.100.40', userId), 'auth.too_many_failures');
    const found = await server.devices.find(` ${userCode.toLowerCase().replace('-', ' ')} `, {
      address: '198.51.100.40',
      userId: newId(),
    });
    assert.equal(found?.userCode, userCode);
    const floods = await Promise.all(
      Array.from({ length: 50 }, async () => await guess('CCCC-CCCC', '198.51.100.8')),
    );
    assert.equal(floods.filter((answer) => answer === undefined).length, 30);
  });

  it('[ACC-10] at most 20 sign-ins of one network wait at once, also when all begin together', async () => {
    const server = start();
    const answers = await Promise.all(
      Array.from(
        { length: 25 },
        async (_, n) =>
          await begin(server, `2001:db8:1:2::${n + 1}`).catch((error: { code: string }) => error.code),
      ),
    );
    assert.equal(answers.filter((answer) => answer === 'auth.too_many_sign_ins').length, 5);
    await begin(server, '2001:db8:1:3::1');
    server.time.now += LIFETIME_MS;
    await begin(server, '2001:db8:1:2::1');
  });

  it('[ACC-7] codes have eight letters without vowels, and are kept hashed', async () => {
    const server = start();
    const { deviceCode, userCode } = await begin(server);
    assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const row = JSON.stringify(await findByDeviceCode(db(), hashCredential(deviceCode)));
    for (const secret of [deviceCode, userCode, userCode.replace('-', '')]) assert.ok(!row.includes(secret));
  });
});
