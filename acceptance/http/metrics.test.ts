import assert from 'node:assert/strict';
import { test } from 'node:test';

import { client } from '../support/http-client.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

const FROM_OUTSIDE = { 'x-forwarded-for': '203.0.113.7' };

onAnyEngine('metrics', (server) => {
  test('a caller on this machine reads them in Prometheus text', async () => {
    const anyone = client(server.current.url);
    await anyone.get('/health');
    await anyone.get('/nowhere/in/particular');
    const { status, headers, body } = await anyone.get<string>('/metrics');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(body, /^# HELP atelier_http_request_seconds /m);
    assert.match(body, /^# TYPE atelier_http_request_seconds histogram$/m);
    assert.match(body, /^atelier_http_request_seconds_count\{[^}]*operation="health"[^}]*\} [1-9]/m);
    assert.match(body, /^process_resident_memory_bytes /m);
    for (const line of body.trimEnd().split('\n')) {
      assert.match(line, /^(# (HELP|TYPE) |[a-zA-Z_:][\w:]*(\{.*\})? [-+\d.eINFa]+$|$)/, line);
    }
  });

  test('requests are counted by operation, never by address', async () => {
    const { id } = await newPerson(server.current);
    await admin(server.current).get(`/admin/users/${id}`);
    const { body } = await client(server.current.url).get<string>('/metrics');
    assert.match(body, /operation="admin\.users\.read"/);
    assert.equal(body.includes(id), false);
    assert.equal(body.includes('nowhere'), false);
  });

  test('a caller behind a proxy needs to be an administrator', async () => {
    const user = client(server.current.url, {
      bearer: await tokenOf(server.current, await newPerson(server.current)),
    });
    assert.equal((await client(server.current.url).get('/metrics', FROM_OUTSIDE)).status, 401);
    assert.equal((await user.get('/metrics', FROM_OUTSIDE)).status, 403);
    assert.equal((await admin(server.current).get('/metrics', FROM_OUTSIDE)).status, 200);
    const forwarded = await client(server.current.url).get('/metrics', { forwarded: 'for=203.0.113.7' });
    assert.equal(forwarded.status, 401);
  });
});
