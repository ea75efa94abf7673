import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { newName, newStudio, newUser, publish, type Studio } from '../support/registry-publishing.ts';
import type { PackNode } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const MIB = 1024 * 1024;

onAnyEngine('shapes and order', (server) => {
  let studio: Studio;
  let stranger: Client;
  let pack: string;
  let versionId: string;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
    pack = newName('pack');
    const { node_version: version } = await publish(server.current, studio, pack);
    versionId = version.id;
  });
  const anyone = () => client(server.current.url);

  /** Every route that writes with a credential, with a body that is wrong where it has one. */
  const writes = (publisher: string, node: string, version: string) =>
    [
      ['POST', '/publishers', { id: 'Not Good' }],
      ['PUT', `/publishers/${publisher}`, { name: 7 }],
      ['DELETE', `/publishers/${publisher}`, undefined],
      ['POST', `/publishers/${publisher}/members`, { email: 7 }],
      ['PUT', `/publishers/${publisher}/members/x`, { role: 'chief' }],
      ['DELETE', `/publishers/${publisher}/members/x`, undefined],
      ['POST', `/publishers/${publisher}/tokens`, {}],
      ['DELETE', `/publishers/${publisher}/tokens/x`, undefined],
      ['POST', `/publishers/${publisher}/nodes`, { id: 'not good' }],
      ['PUT', `/publishers/${publisher}/nodes/${node}`, { name: 7 }],
      ['DELETE', `/publishers/${publisher}/nodes/${node}`, undefined],
      ['PUT', `/publishers/${publisher}/nodes/${node}/versions/${version}`, { deprecated: 'x' }],
      ['DELETE', `/publishers/${publisher}/nodes/${node}/versions/${version}`, undefined],
      ['POST', `/publishers/${publisher}/nodes/${node}/versions/${version}/request-review`, { note: 7 }],
      ['POST', `/publishers/${publisher}/ban`, { reason: 7 }],
      ['POST', `/publishers/${publisher}/unban`, undefined],
      ['POST', `/publishers/${publisher}/nodes/${node}/ban`, { reason: 7 }],
      ['POST', `/publishers/${publisher}/nodes/${node}/unban`, undefined],
      ['POST', `/nodes/${node}/reviews?star=9`, undefined],
      ['POST', `/nodes/${node}/translations`, { data: 7 }],
      ['POST', '/admin/nodes', { id: 'not good', publisher: { id: publisher } }],
      ['PUT', `/admin/nodes/${node}`, { name: 7 }],
      ['PUT', `/admin/nodes/${node}/versions/1.0.0`, { status: 7 }],
    ] as const;

  test('[REG-10] [REG-15] without a good credential everything that writes gets 401, whatever else is wrong', async () => {
    const forged = client(server.current.url, { bearer: 'forged' });
    for (const [method, path, body] of writes(newName(), newName(), 'x')) {
      for (const who of [anyone(), forged]) {
        const answer = await who.request(method, path, { body });
        assert.equal(answer.status, 401, `${method} ${path}`);
        assertShape(answer.body, 'error');
      }
    }
  });

  test('[REG-10] a wrong form gets 400 before 404', async () => {
    for (const [method, path, body] of writes(newName(), newName(), 'x')) {
      const isWrong = body !== undefined || path.includes('star=9');
      const { status } = await stranger.request(method, path, { body });
      assert.equal(status, isWrong ? 400 : 404, `${method} ${path}`);
    }
  });

  test('[REG-10] a wrong form gets 400 before 403', async () => {
    for (const [method, path, body] of writes(studio.id, pack, versionId)) {
      if (path.endsWith('/x')) continue;
      const isWrong = body !== undefined || path.includes('star=9');
      const { status } = await stranger.request(method, path, { body });
      assert.equal(status, isWrong ? 400 : 403, `${method} ${path}`);
    }
    assert.equal((await anyone().get<PackNode>(`/nodes/${pack}`)).body.name, pack);
  });

  test('[REG-10] what is unknown gets 404 before 403', async () => {
    const [publisher, node] = [newName(), newName()];
    for (const [method, path, body] of [
      ['PUT', `/publishers/${publisher}`, {}],
      ['GET', `/publishers/${publisher}/permissions`, undefined],
      ['GET', `/publishers/${publisher}/members`, undefined],
      ['GET', `/publishers/${publisher}/tokens`, undefined],
      ['POST', `/publishers/${publisher}/tokens`, { name: 'x' }],
      ['PUT', `/publishers/${studio.id}/nodes/${node}`, {}],
      ['DELETE', `/publishers/${studio.id}/nodes/${node}`, undefined],
      ['PUT', `/publishers/${studio.id}/nodes/${pack}/versions/x`, {}],
      ['POST', `/publishers/${studio.id}/nodes/${node}/ban`, undefined],
      ['PUT', `/admin/nodes/${node}`, {}],
      ['PUT', `/admin/nodes/${pack}/versions/9.9.9`, {}],
      ['POST', `/nodes/${node}/translations`, { data: {} }],
    ] as const) {
      assert.equal((await stranger.request(method, path, { body })).status, 404, `${method} ${path}`);
    }
  });

  test('[REG-10] a version that is none gets 400 before an unknown node gets 404', async () => {
    assert.equal((await anyone().get(`/nodes/${newName()}/install?version=abc`)).status, 400);
  });

  test('[REG-10] a stranger gets 403 before 409', async () => {
    assert.equal((await stranger.delete(`/publishers/${studio.id}`)).status, 403);
    assert.equal((await studio.owner.delete(`/publishers/${studio.id}`)).status, 409);
    const review = `/publishers/${studio.id}/nodes/${pack}/versions/${versionId}/request-review`;
    assert.equal((await stranger.post(review, {})).status, 403);
    assert.equal((await studio.owner.post(review, {})).status, 409);
  });

  test('[REG-14] a body that is not JSON gets 400, another content type 415, too much of it 413', async () => {
    const json = { 'content-type': 'application/json' };
    const publishing = `/publishers/${studio.id}/nodes/${pack}/versions`;
    for (const [who, method, path] of [
      [studio.owner, 'POST', '/publishers'],
      [studio.owner, 'PUT', `/publishers/${studio.id}`],
      [studio.owner, 'POST', `/nodes/${pack}/translations`],
      [anyone(), 'POST', publishing],
      [anyone(), 'POST', '/bulk/nodes/versions'],
    ] as const) {
      for (const [headers, body, expected] of [
        [json, '{"id":', 400],
        [json, 'id=x', 400],
        [json, '[]', 400],
        [json, 'null', 400],
        [json, '"x"', 400],
        [json, '{"id":"a\\u0000b"}', 400],
        [{ 'content-type': 'application/x-www-form-urlencoded' }, 'id=x', 415],
        [{ 'content-type': 'text/plain' }, '{"id":"x"}', 415],
        [{ 'content-type': 'application/xml' }, '<id/>', 415],
        [json, JSON.stringify({ id: 'x'.repeat(MIB) }), 413],
      ] as const) {
        const answer = await who.request(method, path, { headers, body });
        assert.equal(answer.status, expected, `${method} ${path} ${body.slice(0, 40)}`);
        assertShape(answer.body, 'error');
      }
    }
  });

  test('[REG-16] nothing of all that was refused has been done', async () => {
    const { body } = await studio.owner.get<{ id: string; name: string }[]>('/users/publishers/');
    assert.deepEqual(
      body.map(({ id, name }) => [id, name]),
      [[studio.id, 'A studio']],
    );
    assert.deepEqual((await stranger.get('/users/publishers/')).body, []);
  });

  test('[REG-11] times are ISO 8601 in UTC', async () => {
    const { body: node } = await anyone().get<PackNode>(`/nodes/${pack}`);
    const { body: version } = await anyone().get(`/nodes/${pack}/versions/1.0.0`);
    for (const time of [node.created_at, node.publisher.createdAt, String(version['createdAt'])]) {
      assert.equal(new Date(time).toISOString(), time);
      const age = Date.now() - Date.parse(time);
      assert.ok(age >= 0 && age < 10 * 60_000, time);
    }
  });

  test('[REG-12] a page of any origin may use every method and header', async () => {
    const wanted = 'authorization, content-type, x-api-key, if-none-match, comfy-env';
    for (const [method, path] of [
      ['GET', '/nodes'],
      ['POST', '/publishers'],
      ['PUT', `/publishers/${studio.id}`],
      ['DELETE', `/publishers/${studio.id}`],
      ['PUT', '/registry/uploads/x'],
    ] as const) {
      const { status, headers } = await anyone().request('OPTIONS', path, {
        headers: {
          origin: 'https://registry.example.org',
          'access-control-request-method': method,
          'access-control-request-headers': wanted,
        },
      });
      assert.ok(status === 200 || status === 204, String(status));
      assert.ok(
        ['*', 'https://registry.example.org'].includes(headers.get('access-control-allow-origin') ?? ''),
      );
      const methods = (headers.get('access-control-allow-methods') ?? '').split(/, */);
      assert.ok(methods.includes(method) || methods.includes('*'), `${method}: ${methods.join()}`);
      const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */);
      for (const header of wanted.split(', ')) assert.ok(allowed.includes(header), header);
    }
  });

  test('[REG-12] a page of any origin reads answers and refusals', async () => {
    for (const path of ['/nodes', `/nodes/${newName()}`, '/users', '/nodes?page=x']) {
      const { headers } = await anyone().get(path, { origin: 'https://registry.example.org' });
      const allowed = headers.get('access-control-allow-origin') ?? '';
      assert.ok(['*', 'https://registry.example.org'].includes(allowed), path);
      assert.match(headers.get('access-control-expose-headers') ?? '', /etag/i);
    }
  });

  test('[REG-9] an unknown path and method answer in the same shape', async () => {
    for (const [method, path] of [
      ['GET', '/publishers/a/b/c/d/e'],
      ['PATCH', `/publishers/${studio.id}`],
      ['DELETE', '/nodes'],
      ['GET', '/nodes/'],
    ] as const) {
      const { status, body } = await anyone().request(method, path);
      assert.equal(status, 404, `${method} ${path}`);
      assertShape(body, 'error');
    }
  });
});
