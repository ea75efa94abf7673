import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { ODD_NAMES } from '../support/odd-names.ts';
import { newKey, newPerson, tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly key_prefix: string;
  readonly created_at: string;
  readonly plaintext_key: string;
}

onEachEngine('API keys', (server) => {
  const newOwner = async () =>
    client(server.current.url, { bearer: await tokenOf(server.current, await newPerson(server.current)) });

  test('a new key is answered with 201 and all that is known about it', async () => {
    const owner = await newOwner();
    const { status, body } = await owner.post<{ api_key: Key }>('/customers/api-keys', {
      name: 'build server',
      description: 'publishes at night',
    });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['api_key']);
    const { api_key: key } = body;
    assert.deepEqual(Object.keys(key).toSorted(), [
      'created_at',
      'description',
      'id',
      'key_prefix',
      'name',
      'plaintext_key',
    ]);
    assert.equal(key.name, 'build server');
    assert.equal(key.description, 'publishes at night');
    assert.ok(key.plaintext_key.startsWith(key.key_prefix));
    assert.ok(key.plaintext_key.length >= key.key_prefix.length + 32, 'the prefix gives too much away');
    assert.equal(new Date(key.created_at).toISOString(), key.created_at);
  });

  test('a key is taken from HTTP Basic, as the password or, without one, as the user name', async () => {
    const { secret } = await newKey(await newOwner());
    const { url } = server.current;
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const own = { origin: url };
    for (const headers of [
      basic(`comfy:${secret}`),
      basic(`:${secret}`),
      basic(`${secret}:`),
      basic(secret),
      { ...basic(`comfy:${secret}`), ...own },
    ]) {
      for (const path of ['/customers/me', '/api/queue', '/queue', '/nodes']) {
        assert.equal((await client(url).get(path, headers)).status, 200, path);
      }
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=x`, { headers });
      await once(socket, 'message');
      socket.terminate();
    }
    for (const text of ['comfy:wrong', `comfy:${secret}x`, ':', '', `${secret}:x`]) {
      assert.equal((await client(url).get('/api/queue', basic(text))).status, 401, text);
    }
    const foreign = { ...basic(`comfy:${secret}`), origin: 'https://elsewhere.example' };
    const { status, body } = await client(url).get('/customers/me', foreign);
    assert.deepEqual([status, body['error']], [403, 'auth.origin']);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: foreign });
    const [error] = (await once(socket, 'error')) as [Error];
    assert.match(error.message, /403/);
  });

  test('a key without a description has none', async () => {
    const { body } = await (await newOwner()).post<{ api_key: Key }>('/customers/api-keys', { name: 'x' });
    assert.equal('description' in body.api_key, false);
  });

  test('the list has every key of the owner and never a secret', async () => {
    const owner = await newOwner();
    const made = [await newKey(owner), await newKey(owner)];
    await newKey(await newOwner());
    const { status, body } = await owner.get<{ api_keys: Key[] }>('/customers/api-keys');
    assert.equal(status, 200);
    assert.deepEqual(body.api_keys.map((key) => key.id).toSorted(), made.map((key) => key.id).toSorted());
    for (const key of body.api_keys) {
      assert.deepEqual(Object.keys(key).toSorted(), ['created_at', 'id', 'key_prefix', 'name']);
    }
    for (const { secret } of made) assert.equal(JSON.stringify(body).includes(secret), false);
  });

  test('a key works in X-API-Key and as the bearer value, and is its owner', async () => {
    const owner = await newOwner();
    const { secret } = await newKey(owner);
    const { body: me } = await owner.get('/customers/me');
    for (const credential of [{ apiKey: secret }, { bearer: secret }]) {
      const { status, body } = await client(server.current.url, credential).get('/customers/me');
      assert.equal(status, 200);
      assert.equal(body['id'], me['id']);
    }
  });

  test('a key that is altered or cut answers 401', async () => {
    const { secret } = await newKey(await newOwner());
    const swapped = secret.endsWith('A') ? 'B' : 'A';
    for (const wrong of [
      secret.slice(0, -1),
      `${secret}x`,
      secret.toUpperCase(),
      secret.slice(0, -1) + swapped,
    ]) {
      for (const credential of [{ apiKey: wrong }, { bearer: wrong }]) {
        assert.equal((await client(server.current.url, credential).get('/customers/me')).status, 401);
      }
    }
  });

  test('a revoked key answers 401 at once, and others stay good', async () => {
    const owner = await newOwner();
    const [first, second] = [await newKey(owner), await newKey(owner)];
    const byKey = client(server.current.url, { apiKey: first.secret });
    assert.equal((await byKey.get('/customers/me')).status, 200);
    assert.equal((await owner.delete(`/customers/api-keys/${first.id}`)).status, 204);
    assert.equal((await byKey.get('/customers/me')).status, 401);
    assert.equal(
      (await client(server.current.url, { bearer: first.secret }).get('/customers/me')).status,
      401,
    );
    assert.equal(
      (await client(server.current.url, { apiKey: second.secret }).get('/customers/me')).status,
      200,
    );
    assert.equal((await owner.delete(`/customers/api-keys/${first.id}`)).status, 404, 'it is gone');
  });

  test('a key may revoke itself', async () => {
    const { id, secret } = await newKey(await newOwner());
    const byKey = client(server.current.url, { apiKey: secret });
    assert.equal((await byKey.delete(`/customers/api-keys/${id}`)).status, 204);
    assert.equal((await byKey.get('/customers/me')).status, 401);
  });

  test("someone else's key and an unknown one look the same: 404, and the key stays good", async () => {
    const stranger = await newOwner();
    const { id, secret } = await newKey(await newOwner());
    const foreign = await stranger.delete(`/customers/api-keys/${id}`);
    const unknown = await stranger.delete('/customers/api-keys/00000000-0000-7000-8000-000000000000');
    const nonsense = await stranger.delete('/customers/api-keys/%20%F0%9F%8E%A8');
    for (const { status, body } of [foreign, unknown, nonsense]) {
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
    assert.equal(foreign.body['error'], unknown.body['error']);
    assert.equal((await client(server.current.url, { apiKey: secret }).get('/customers/me')).status, 200);
  });

  test('a name that is not one line of text answers 400 with a sentence and makes no key', async () => {
    const owner = await newOwner();
    for (const name of ODD_NAMES) {
      const { status, body } = await owner.post('/customers/api-keys', { name });
      assert.equal(status, 400, JSON.stringify(name));
      assertShape(body, 'error');
      assert.match(String(body['message']), /one line/);
    }
    assert.deepEqual((await owner.get('/customers/api-keys')).body, { api_keys: [] });
  });

  test('an invalid name or description answers 400 and makes no key', async () => {
    const owner = await newOwner();
    for (const bad of [
      {},
      { name: '' },
      { name: null },
      { name: 5 },
      { name: ['x'] },
      { name: 'x'.repeat(101) },
      { name: 'x', description: 5 },
      { name: 'x', description: 'x'.repeat(1001) },
      { description: 'no name' },
    ]) {
      const { status, body } = await owner.post('/customers/api-keys', bad);
      assert.equal(status, 400, JSON.stringify(bad).slice(0, 80));
      assertShape(body, 'error');
    }
    const { body } = await owner.get<{ api_keys: Key[] }>('/customers/api-keys');
    assert.deepEqual(body.api_keys, []);
  });

  test('a name may have 100 characters of any alphabet, counted as people count', async () => {
    const { status } = await (await newOwner()).post('/customers/api-keys', { name: '🎨'.repeat(100) });
    assert.equal(status, 201);
  });

  test('an account has at most 100 keys, also when many are asked for at once', async () => {
    const owner = await newOwner();
    const answers = await Promise.all(
      Array.from(
        { length: 110 },
        async (_, index) => await owner.post('/customers/api-keys', { name: `key ${index}` }),
      ),
    );
    const statuses = Object.groupBy(answers, ({ status }) => status);
    assert.deepEqual([statuses[201]?.length, statuses[409]?.length], [100, 10]);
    const { body } = await owner.get<{ api_keys: Key[] }>('/customers/api-keys');
    assert.equal(body.api_keys.length, 100);
  });

  test('keys need a credential: 401 without', async () => {
    const anyone = client(server.current.url);
    assert.equal((await anyone.get('/customers/api-keys')).status, 401);
    assert.equal((await anyone.post('/customers/api-keys', { name: 'x' })).status, 401);
    assert.equal((await anyone.delete('/customers/api-keys/x')).status, 401);
  });
});
