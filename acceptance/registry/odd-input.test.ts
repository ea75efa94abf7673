import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  publish,
  publishActive,
  type Studio,
} from '../support/registry-publishing.ts';
import type { PackNode, Publisher } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

onAnyEngine('odd input', (server) => {
  let studio: Studio;
  let id: string;
  before(async () => {
    studio = await newStudio(server.current);
    id = newName('Pack');
    await publishActive(server.current, studio, id);
  });
  const anyone = () => client(server.current.url);
  const message = ({ body }: { body: Record<string, unknown> }) => String(body['message']);
  const assertRefused = async (who: Client, method: string, path: string, body?: unknown) => {
    const answer = await who.request(method, path, body === undefined ? {} : { body });
    assert.equal(answer.status, 400, `${method} ${path} ${JSON.stringify(body)}`);
    assertShape(answer.body, 'error');
    assert.doesNotMatch(message(answer), /pattern|anyOf|\^|\\u/);
    return message(answer);
  };

  test('[REG-140] [REG-96] numbers in queries are plain decimal whole numbers', async () => {
    for (const number of ['05', '5.0', '5e0', '1e0', '0x5', '%205', '5%20', '+5', '5n', '٥']) {
      assert.match(await assertRefused(studio.owner, 'POST', `/nodes/${id}/reviews?star=${number}`), /star/);
      for (const path of [
        `/nodes?page=${number}`,
        `/nodes?limit=${number}`,
        `/nodes/search?page=${number}`,
        `/versions?pageSize=${number}`,
        `/comfy-nodes?pageSize=${number}`,
        `/nodes/${id}/versions/1.0.0/comfy-nodes?limit=${number}`,
      ]) {
        await assertRefused(anyone(), 'GET', path);
      }
    }
    for (const number of ['99999999999999999999', '-99999999999999999999', '9007199254740993']) {
      await assertRefused(anyone(), 'GET', `/nodes?page=${number}`);
      await assertRefused(admin(server.current), 'GET', `/admin/audit?before=${number}`);
    }
    for (const number of ['0', '-1', '1', '-9007199254740991', '1000000']) {
      assert.equal((await anyone().get(`/nodes?page=${number}`)).status, 200, number);
    }
    assert.equal((await anyone().get<PackNode>(`/nodes/${id}`)).body.rating, 0);
  });

  const DANGEROUS = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript:alert(1)//https://example.org',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
  ];

  test('[REG-141] links have a scheme that pages may show', async () => {
    const own = `/publishers/${studio.id}`;
    for (const link of DANGEROUS) {
      for (const field of ['logo', 'website', 'source_code_repo', 'support']) {
        assert.match(await assertRefused(studio.owner, 'PUT', own, { [field]: link }), new RegExp(field));
        await assertRefused(studio.owner, 'POST', '/publishers', { id: newName(), [field]: link });
      }
      for (const field of ['icon', 'banner_url', 'repository']) {
        const wish = { [field]: link };
        assert.match(await assertRefused(studio.owner, 'PUT', `${own}/nodes/${id}`, wish), new RegExp(field));
        await assertRefused(studio.owner, 'POST', `${own}/nodes`, { id: newName('pack'), ...wish });
        await assertRefused(admin(server.current), 'PUT', `/admin/nodes/${id}`, wish);
        await assertRefused(anyone(), 'POST', `${own}/nodes/${id}/versions`, {
          personal_access_token: studio.token,
          node: wish,
          node_version: { version: '9.0.0' },
        });
      }
    }
    assert.equal('logo' in (await anyone().get<Publisher>(own)).body, false);
  });

  test('[REG-141] [REG-50] ordinary links, and none, are taken as they are', async () => {
    const own = `/publishers/${studio.id}`;
    for (const link of [
      'https://example.org/a:b?c=d#e',
      'HTTP://EXAMPLE.ORG',
      '',
      'example.org/logo.png',
      '/x:y',
    ]) {
      const { status, body } = await studio.owner.put(own, { logo: link, website: link });
      assert.equal(status, 200, link);
      assert.equal(body['logo'], link);
      assert.equal(
        (await studio.owner.put(`${own}/nodes/${id}`, { icon: link, banner_url: link })).status,
        200,
      );
    }
    for (const link of [
      'git@example.org:a/b.git',
      'ssh://git@example.org/a',
      'git+https://example.org/a',
      '',
    ]) {
      assert.equal((await studio.owner.put(`${own}/nodes/${id}`, { repository: link })).status, 200, link);
    }
    for (const link of ['mailto:help@example.org', 'help@example.org', 'ask in the forum']) {
      assert.equal((await studio.owner.put(own, { support: link })).status, 200, link);
    }
  });

  test('[REG-142] what is refused is told in words for people', async () => {
    const odd = await assertRefused(studio.owner, 'POST', '/publishers', { id: 'Not-Good' });
    const validate = message(await anyone().get('/publishers/validate?username=Not-Good'));
    const expected = /must be lower-case letters, digits and hyphens/;
    assert.match(odd, expected);
    assert.match(validate, expected);
    const translations = `/nodes/${id}/translations`;
    assert.equal(
      await assertRefused(studio.owner, 'POST', translations, { data: { fr: 'x', de: {} } }),
      'The body is not valid: data.fr must be an object of fields, or null to remove the language.',
    );
    const statuses = await assertRefused(anyone(), 'GET', `/nodes/${id}/versions?statuses=Active`);
    assert.match(statuses, /statuses .*NodeVersionStatusActive/);
    for (const path of [`/nodes/${id}/versions/9.9.9`, `/nodes/${id}/install?version=9.9.9`]) {
      assert.match(
        message(await anyone().get(path)),
        new RegExp(`There is no version 9\\.9\\.9 of node "${id}"\\.`),
      );
    }
    const proto = await studio.owner.request('POST', translations, {
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"fr":{"__proto__":{"name":"x"}}}}',
    });
    assert.equal(proto.status, 400);
    assert.match(message(proto), /"__proto__"/);
  });

  test('[REG-100] a language has a name of 1 to 35 letters, digits, hyphens and underscores', async () => {
    const translations = `/nodes/${id}/translations`;
    for (const language of ['', 'x'.repeat(36), 'x'.repeat(300), 'f r', 'fr\n', '-fr', '語']) {
      const told = await assertRefused(studio.owner, 'POST', translations, {
        data: { [language]: { name: 'x' } },
      });
      assert.match(told, /language/);
    }
    for (const language of ['fr', 'zh-Hant-TW', 'pt_BR', 'x'.repeat(35)]) {
      const { status } = await studio.owner.post(translations, { data: { [language]: { name: 'x' } } });
      assert.equal(status, 201, language);
    }
  });

  test('[REG-5] null is in no translation and no entry of the audit', async () => {
    const pack = newName('pack');
    await publish(server.current, studio, pack);
    const { body } = await studio.owner.post<PackNode>(`/nodes/${pack}/translations`, {
      data: { fr: { name: 'x', tags: ['a', null], more: { deep: null, kept: [{ no: null }] } } },
    });
    assertNoNull(body);
    assert.deepEqual(body.translations, { fr: { name: 'x', tags: ['a'], more: { kept: [{}] } } });
    const { body: read } = await anyone().get<PackNode>(`/nodes/${pack}?include_translations=true`);
    assert.deepEqual(read.translations, body.translations);
    const root = admin(server.current);
    await root.post(`/publishers/${studio.id}/nodes/${pack}/ban`);
    await root.post(`/publishers/${studio.id}/nodes/${pack}/unban`);
    assertNoNull((await root.get(`/admin/audit?subject=publisher:${studio.id}&limit=500`)).body);
  });

  test('[REG-112] the plain and the compressed answer have one weak tag, however often it is asked for', async () => {
    await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, { description: 'x'.repeat(1000) });
    for (const path of [`/nodes?node_id=${id}`, `/nodes/${id}`, '/nodes/export']) {
      const tags = new Set<string>();
      for (const accepted of ['gzip', 'identity', 'gzip', 'gzip', 'gzip', 'identity']) {
        const { headers } = await anyone().get(path, { 'accept-encoding': accepted });
        tags.add(headers.get('etag') ?? '');
      }
      const [tag = '', ...others] = tags;
      assert.deepEqual(others, [], path);
      assert.match(tag, /^W\/"[^"]+"$/);
      for (const accepted of ['gzip', 'identity']) {
        for (const condition of [tag, tag.slice(2)]) {
          const headers = { 'accept-encoding': accepted, 'if-none-match': condition };
          assert.equal((await anyone().get(path, headers)).status, 304, `${path} ${condition} ${accepted}`);
        }
      }
    }
  });

  test('[REG-106] ids of nodes are taken in whatever case by lists, versions, inner nodes and bulk look-ups', async () => {
    const pack = newName('Pack');
    await publishActive(server.current, studio, pack, { innerNodes: ['OneNode'] });
    for (const spelling of [pack, pack.toLowerCase(), pack.toUpperCase()]) {
      assert.equal((await anyone().get(`/nodes?node_id=${spelling}`)).body['total'], 1, spelling);
      assert.equal((await anyone().get(`/versions?nodeId=${spelling}`)).body['total'], 1, spelling);
      assert.equal((await anyone().get(`/comfy-nodes?node_id=${spelling}`)).body['total'], 1, spelling);
      const { body } = await anyone().post<{ node_versions: Record<string, unknown>[] }>(
        '/bulk/nodes/versions',
        {
          node_versions: [{ node_id: spelling, version: '1.0.0' }],
        },
      );
      assert.partialDeepStrictEqual(body.node_versions, [
        {
          identifier: { node_id: spelling, version: '1.0.0' },
          status: 'success',
          node_version: { node_id: pack },
        },
      ]);
    }
  });
});
