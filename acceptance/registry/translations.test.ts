import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { newName, newStudio, newUser, publish, type Studio } from '../support/registry-publishing.ts';
import type { PackNode } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

onAnyEngine('translations', (server) => {
  let studio: Studio;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);
  const newPack = async () => {
    const id = newName('pack');
    await publish(server.current, studio, id);
    return id;
  };
  const translate = async (id: string, data: unknown, who: Client = studio.owner) =>
    await who.post<PackNode>(`/nodes/${id}/translations`, { data });
  const read = async (id: string) =>
    (await anyone().get<PackNode>(`/nodes/${id}?include_translations=true`)).body.translations;

  test('[REG-98] translations are merged by language and field', async () => {
    const id = await newPack();
    const { status, body } = await translate(id, {
      fr: { name: 'Agrandir', tags: ['image', 'échelle'] },
      'zh-CN': { name: '放大' },
    });
    assert.equal(status, 201);
    assert.equal(body.id, id);
    assert.deepEqual(body.translations, {
      fr: { name: 'Agrandir', tags: ['image', 'échelle'] },
      'zh-CN': { name: '放大' },
    });
    const merged = await translate(id, { fr: { description: 'Plus grand.' }, de: { name: 'Größer' } });
    const all = {
      fr: { name: 'Agrandir', tags: ['image', 'échelle'], description: 'Plus grand.' },
      'zh-CN': { name: '放大' },
      de: { name: 'Größer' },
    };
    assert.deepEqual(merged.body.translations, all);
    assert.deepEqual(await read(id), all);
    const { body: replaced } = await translate(id, { de: { name: 'Vergrößern' } });
    assert.deepEqual(replaced.translations, { ...all, de: { name: 'Vergrößern' } });
  });

  test('[REG-98] a field may have any name and hold any value', async () => {
    const id = await newPack();
    const data = { ja: { deep: { list: [1, true, { x: 'y' }] }, toString: 'x', constructor: 'y', '': 'z' } };
    assert.equal((await translate(id, data)).status, 201);
    assert.deepEqual(await read(id), data);
  });

  test('[REG-98] translations that come at once are all kept', async () => {
    const id = await newPack();
    const languages = ['en', 'zh', 'ja', 'fr', 'es', 'ko', 'ru', 'ar', 'tr'];
    const answers = await Promise.all(
      languages.map(async (language) => await translate(id, { [language]: { name: language } })),
    );
    for (const { status } of answers) assert.equal(status, 201);
    assert.deepEqual(Object.keys((await read(id)) ?? {}).toSorted(), languages.toSorted());
  });

  test('[REG-99] null removes a field, or a language', async () => {
    const id = await newPack();
    await translate(id, { fr: { name: 'a', description: 'b' }, de: { name: 'c' }, es: { name: 'd' } });
    const { status, body } = await translate(id, { fr: { name: null }, de: null, it: null });
    assert.equal(status, 201);
    assert.deepEqual(body.translations, { fr: { description: 'b' }, es: { name: 'd' } });
    assert.deepEqual(await read(id), { fr: { description: 'b' }, es: { name: 'd' } });
  });

  test('[REG-100] data that is missing or no object, or has a language that is none, gets 400', async () => {
    const id = await newPack();
    await translate(id, { fr: { name: 'a' } });
    for (const body of [
      {},
      { data: null },
      { data: 'fr' },
      { data: 7 },
      { data: [] },
      { data: [{ fr: { name: 'x' } }] },
      { data: { fr: 'x' } },
      { data: { fr: ['x'] } },
      { data: { fr: { name: 'ok' }, de: 7 } },
      { fr: { name: 'x' } },
      [],
    ]) {
      const answer = await studio.owner.post(`/nodes/${id}/translations`, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assertShape(answer.body, 'error');
    }
    for (const text of ['null', '"x"', '{"data":{"fr":{"__proto__":{}}}}', '{"data":', '']) {
      const answer = await studio.owner.request('POST', `/nodes/${id}/translations`, {
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      assert.equal(answer.status, 400, text);
      assertShape(answer.body, 'error');
    }
    assert.deepEqual(await read(id), { fr: { name: 'a' } });
  });

  test('[REG-100] translations have a bound, and what goes beyond it changes nothing', async () => {
    const id = await newPack();
    const { status, body } = await translate(id, { fr: { description: 'x'.repeat(500_000) } });
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.deepEqual((await read(id)) ?? {}, {});
  });

  test('[REG-101] owners and administrators translate; others get 403, and nobody 401', async () => {
    const id = await newPack();
    const data = { fr: { name: 'a' } };
    assert.equal((await translate(id, data, anyone())).status, 401);
    const refused = await translate(id, data, stranger);
    assert.equal(refused.status, 403);
    assertShape(refused.body, 'error');
    assert.deepEqual((await read(id)) ?? {}, {});
    assert.equal((await translate(id, data, admin(server.current))).status, 201);
  });

  test('[REG-101] [REG-9] an unknown node gets 404 with details', async () => {
    const { status, body } = await translate(newName(), { fr: { name: 'a' } });
    assert.equal(status, 404);
    assertShape(body, 'details');
  });

  test('[REG-102] translations are read only by who asks for them', async () => {
    const id = await newPack();
    await translate(id, { fr: { name: 'a' } });
    for (const query of ['', '?include_translations=false']) {
      assert.equal('translations' in (await anyone().get(`/nodes/${id}${query}`)).body, false);
    }
    assert.deepEqual(await read(id), { fr: { name: 'a' } });
    const { body } = await anyone().get<{ nodes: PackNode[] }>(`/nodes?node_id=${id}`);
    assert.equal('translations' in (body.nodes[0] ?? {}), false);
    assert.equal((await anyone().get(`/nodes/${id}?include_translations=x`)).status, 400);
  });
});
