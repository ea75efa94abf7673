import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

const DOORS = ['', '/api'];

onAnyEngine('settings', (server) => {
  const newCaller = async (): Promise<Client> =>
    client(server.current.url, { bearer: await tokenOf(server.current, await newPerson(server.current)) });
  const set = async (caller: Client, id: string, body: string | Uint8Array, headers = {}) =>
    await caller.request('POST', `/api/settings/${id}`, { body, headers });

  for (const door of DOORS) {
    test(`[HOST-5] ${door}/settings sets what is named, leaves the rest and answers all`, async () => {
      const caller = await newCaller();
      assert.deepEqual((await caller.get(`${door}/settings`)).body, {});
      const first = { 'Comfy.Locale': 'de', 'Comfy.Size': 12, list: [1, { a: null }] };
      const answer = await caller.post(`${door}/settings`, first);
      assert.deepEqual([answer.status, answer.body], [200, first]);
      const { body } = await caller.post(`${door}/settings`, { 'Comfy.Size': null, new: false });
      const both = { ...first, 'Comfy.Size': null, new: false };
      assert.deepEqual(body, both);
      assert.deepEqual((await caller.get(`${door}/settings`)).body, both);
    });

    test(`[HOST-6] ${door}/settings/{id} is any JSON value, or null when there is none`, async () => {
      const caller = await newCaller();
      assert.equal((await caller.get(`${door}/settings/never`)).body, null);
      for (const value of ['text', '', 5, -1.5, true, false, null, [], [1], {}, { a: { b: 'ü' } }]) {
        const body = JSON.stringify(value);
        const path = `${door}/settings/Comfy.Some%20thing%2Fodd`;
        const answer = await caller.request('POST', path, { body });
        assert.deepEqual([answer.status, answer.body], [200, value]);
        const read = await caller.get(path);
        assert.deepEqual([read.status, read.body], [200, value]);
        assert.deepEqual((await caller.get(`${door}/settings`)).body, { 'Comfy.Some thing/odd': value });
      }
    });
  }

  test('[HOST-6] the content type makes no difference', async () => {
    const caller = await newCaller();
    for (const type of [
      'application/json',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'x',
    ]) {
      const { status } = await set(caller, 'type', JSON.stringify(type), { 'content-type': type });
      assert.equal(status, 200);
      assert.equal((await caller.get('/settings/type')).body, type);
      const body = Buffer.from(JSON.stringify({ all: type }));
      const headers = { 'content-type': type };
      assert.equal((await caller.request('POST', '/settings', { body, headers })).status, 200);
    }
    // Bytes have no type of their own.
    assert.equal((await set(caller, 'type', Buffer.from('"none"'))).status, 200);
    assert.deepEqual((await caller.get('/settings')).body, { type: 'none', all: 'x' });
  });

  test('[HOST-7] what is not JSON, no object or no value gets 400 and changes nothing', async () => {
    const caller = await newCaller();
    await caller.post('/settings', { kept: 1 });
    const deep = '['.repeat(400_000) + ']'.repeat(400_000);
    for (const [path, body] of [
      ['/settings', '{'],
      ['/settings', ''],
      ['/settings', '[]'],
      ['/settings', 'null'],
      ['/settings', '"text"'],
      ['/settings', '{"__proto__": {"kept": 2}}'],
      ['/settings', `{"deep": ${deep}}`],
      ['/settings', '{"nul": "\\u0000"}'],
      ['/settings/kept', ''],
      ['/settings/kept', '{kept}'],
      ['/settings/kept', Buffer.from([0x22, 0xff, 0x22])],
      ['/settings/kept', deep],
      ['/settings/__proto__', '1'],
    ] as const) {
      const answer = await caller.request('POST', path, { body });
      assert.equal(answer.status, 400, `${path} ${String(body).slice(0, 50)}`);
      assertShape(answer.body, 'code');
    }
    assert.equal((await caller.request('POST', '/settings/kept')).status, 400);
    assert.equal((await caller.get(`/api/settings/${'x'.repeat(2000)}`)).status, 400);
    assert.deepEqual((await caller.get('/settings')).body, { kept: 1 });
    assert.equal((await caller.get('/settings/__proto__')).body, null);
    assert.equal((await caller.get('/settings/constructor')).body, null);
  });

  test('[HOST-7] all of them together take at most a mebibyte', async () => {
    const caller = await newCaller();
    const half = 'x'.repeat(600_000);
    assert.equal((await set(caller, 'a', JSON.stringify(half))).status, 200);
    for (const body of [JSON.stringify(half), JSON.stringify('x'.repeat(1_100_000))]) {
      const answer = await set(caller, 'b', body);
      assert.equal(answer.status, 413);
      assertShape(answer.body, 'code');
    }
    assert.deepEqual((await caller.get('/settings')).body, { a: half });
    assert.equal((await set(caller, 'a', '1')).status, 200);
    assert.equal((await set(caller, 'b', JSON.stringify(half))).status, 200);
  });

  test('[HOST-8] of settings that are sent at once none is lost', async () => {
    const caller = await newCaller();
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
    await Promise.all(ids.map(async (id) => await set(caller, id, JSON.stringify(id))));
    assert.deepEqual((await caller.get('/settings')).body, Object.fromEntries(ids.map((id) => [id, id])));
  });
});

onAnyEngine('what is kept', (server) => {
  test('[HOST-9] belongs to one user and outlives a restart', async () => {
    const [one, other] = [await newPerson(server.current), await newPerson(server.current)];
    const as = async (person: typeof one) =>
      client(server.current.url, { bearer: await tokenOf(server.current, person) });
    await (await as(one)).post('/settings', { mine: 1 });
    await (await as(one)).request('POST', '/userdata/workflows%2Fcat.json', { body: '{"a":1}' });
    await server.restart();
    const [owner, stranger] = [await as(one), await as(other)];
    assert.deepEqual((await owner.get('/settings')).body, { mine: 1 });
    assert.deepEqual((await owner.get('/userdata/workflows%2Fcat.json')).body, { a: 1 });
    assert.deepEqual((await stranger.get('/settings')).body, {});
    assert.deepEqual((await stranger.get('/v2/userdata')).body, []);
    for (const [method, path] of [
      ['GET', '/userdata?dir=workflows'],
      ['GET', '/userdata/workflows%2Fcat.json'],
      ['DELETE', '/userdata/workflows%2Fcat.json'],
      ['POST', '/userdata/workflows%2Fcat.json/move/b'],
    ] as const) {
      assert.equal((await stranger.request(method, path)).status, 404, path);
    }
    assert.equal((await owner.get('/userdata/workflows%2Fcat.json')).status, 200);
  });
});
