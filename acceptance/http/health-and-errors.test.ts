import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertShape, type Shape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { onAnyEngine } from '../support/servers.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

onAnyEngine('health and errors', (server) => {
  const anyone = () => client(server.current.url);
  const signIn = async (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    await anyone().request('POST', '/auth/token', { body, headers });

  test('health answers 200 with the text OK', async () => {
    const { status, headers, body } = await anyone().get<string>('/health');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(body, 'OK');
  });

  const UNKNOWN: readonly (readonly [method: string, path: string, shape: Shape])[] = [
    ['GET', '/x', 'error'],
    ['GET', '/x?y=/api/prompt', 'error'],
    ['GET', '/apix', 'error'],
    ['POST', '/health', 'error'],
    ['DELETE', '/auth/token', 'error'],
    ['GET', '/admin/x', 'error'],
    ['GET', '/proxy/imagevendor/x', 'error'],
    ['GET', '/docs/x', 'error'],
    ['GET', '/files/x', 'error'],
    ['GET', '/api', 'code'],
    ['GET', '/api/x', 'code'],
    ['PUT', '/api/x?y=1', 'code'],
    ['GET', '/api/prompts', 'code'],
    ['DELETE', '/api/prompt', 'prompt'],
    ['GET', '/api/prompt/x', 'prompt'],
    ['POST', '/api/prompt/x', 'prompt'],
    ['GET', '/proxy/videovendor/x', 'details'],
    ['POST', '/proxy/videovendor/x', 'details'],
    ['GET', '/proxy/vidu/x', 'details'],
  ];
  for (const [method, path, shape] of UNKNOWN) {
    test(`an unknown route answers 404 in the shape of its area: ${method} ${path}`, async () => {
      const { status, body } = await anyone().request(method, path);
      assert.equal(status, 404);
      assertShape(body, shape);
    });
  }

  test('an unknown route answers 404 whatever is sent to it', async () => {
    for (const [type, body] of [
      ['text/plain', 'hello'],
      ['application/json', '{'],
      ['multipart/form-data; boundary=x', '--x--'],
    ] as const) {
      const { status } = await anyone().request('POST', '/x', { headers: { 'content-type': type }, body });
      assert.equal(status, 404, type);
    }
  });

  test('malformed JSON answers 400', async () => {
    const bodies = [
      '{',
      '{"email":}',
      'nul',
      "{'email':1}",
      '{"email":1,}',
      '[1,2',
      '"open',
      '\u0001',
      '{}{}',
    ];
    for (const malformed of bodies) {
      const { status, body } = await signIn(malformed);
      assert.equal(status, 400, malformed);
      assertShape(body, 'error');
      assert.equal(body['error'], 'request.malformed', malformed);
    }
  });

  test('JSON of the wrong kind, or none at all, answers 400', async () => {
    for (const wrong of ['null', '[]', '"x"', '42', 'true', '{}', '', ' ']) {
      const { status, body } = await signIn(wrong);
      assert.equal(status, 400, wrong);
      assertShape(body, 'error');
    }
    const { status } = await anyone().request('POST', '/auth/token');
    assert.equal(status, 400);
  });

  test('a content type other than JSON in UTF-8 answers 415', async () => {
    const good = JSON.stringify({ email: 'a@example.org', password: 'x' });
    const types = [
      'text/plain',
      'text/json',
      'application/jsonx',
      'application/vnd.api+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/json; charset="iso-8859-1"',
      ';;;',
      'json',
    ];
    for (const type of types) {
      const { status, body } = await signIn(good, { 'content-type': type });
      assert.equal(status, 415, type);
      assertShape(body, 'error');
    }
    const { status } = await signIn(new TextEncoder().encode(good), {});
    assert.equal(status, 415, 'no content type');
  });

  test('the content type of an empty body is ignored', async () => {
    for (const type of ['text/plain', 'application/octet-stream', 'multipart/form-data; boundary=x']) {
      for (const [method, path, expected] of [
        ['POST', '/auth/token', 400],
        ['DELETE', '/customers/api-keys/none', 404],
        ['POST', '/webhooks/secret/rotate', 200],
      ] as const) {
        const options = { headers: { 'content-type': type }, body: '' };
        const { status } = await admin(server.current).request(method, path, options);
        assert.equal(status, expected, `${method} ${path} as ${type}`);
      }
    }
    const { hostname, port } = new URL(server.current.url);
    const chunked = [
      'POST /webhooks/secret/rotate HTTP/1.1',
      `host: ${hostname}:${port}`,
      `x-api-key: ${server.current.admin.api_key}`,
      'content-type: text/plain',
      'transfer-encoding: chunked',
      'connection: close',
      '\r\n0\r\n\r\n',
    ].join('\r\n');
    assert.equal((await sendRaw(server.current.url, chunked))?.status, 200);
  });

  test('the ways to spell JSON in UTF-8 are accepted', async () => {
    const { email, password } = server.current.admin;
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]) {
      const { status } = await signIn(JSON.stringify({ email, password }), { 'content-type': type });
      assert.equal(status, 200, type);
    }
  });

  test('a body of 1 MiB is read and a larger one answers 413', async () => {
    const { email, password } = server.current.admin;
    const good = JSON.stringify({ email, password });
    assert.equal((await signIn(good.padEnd(MIB, ' '))).status, 200);
    const { status, body } = await signIn(good.padEnd(MIB + 1, ' '));
    assert.equal(status, 413);
    assertShape(body, 'error');
  });

  test('a body that is not UTF-8 answers 400', async () => {
    const around = (...middle: number[]) =>
      Buffer.concat([
        Buffer.from('{"email":"a'),
        Buffer.from(middle),
        Buffer.from('@example.org","password":"x"}'),
      ]);
    for (const bytes of [around(0xff), around(0xc0, 0x80), around(0xed, 0xa0, 0x80), around(0xe2, 0x82)]) {
      assert.equal((await signIn(bytes)).status, 400, bytes.toString('hex'));
    }
  });

  test('letters of every alphabet are taken as they are', async () => {
    const root = admin(server.current);
    for (const name of ['Ζωή 京 🎨', 'a\u0301', '"; drop table users; --']) {
      // A name is one line; a description may have anything.
      const description = `${name}\n\u202e`;
      const { status, body } = await root.post<{ api_key: object }>('/customers/api-keys', {
        name,
        description,
      });
      assert.equal(status, 201, name);
      assert.partialDeepStrictEqual(body.api_key, { name, description });
    }
  });

  test('a NUL character or half a character in a body answers 400', async () => {
    const root = admin(server.current);
    for (const bad of [
      '{"name":"a\\ud83cb"}',
      '{"name":"a","x":{"\\udc00":1}}',
      '{"name":"a\\u0000b"}',
      '{"name":"a","description":"\\u0000"}',
      '{"name":"a","x":{"y":["\\u0000"]}}',
      '{"name":"a","x\\u0000":1}',
      '{"name":"a\0b"}',
    ]) {
      const { status } = await root.request('POST', '/customers/api-keys', { headers: JSON_TYPE, body: bad });
      assert.equal(status, 400, bad);
    }
    const written = await root.post<{ api_key: { name: string } }>('/customers/api-keys', {
      name: '\\u0000',
    });
    assert.equal(written.status, 201, 'a backslash and letters are no NUL');
    assert.equal(written.body.api_key.name, '\\u0000');
  });

  test('a NUL character in an address answers 400 in the shape of the area', async () => {
    const root = admin(server.current);
    for (const [path, shape] of [
      ['/%00', 'error'],
      ['/admin/users/%00', 'error'],
      ['/admin/users/a%00b', 'error'],
      ['/admin/users?page=%00', 'error'],
      ['/api/%00', 'code'],
      ['/api/prompt/%00', 'prompt'],
      ['/proxy/videovendor/%00', 'details'],
    ] as const) {
      const { status, body } = await root.get(path);
      assert.equal(status, 400, path);
      assertShape(body, shape);
    }
  });

  test('a NUL character in the query of a public route is described when it is refused', async () => {
    for (const path of ['/health', '/openapi', '/.well-known/jwks.json', '/customers/me']) {
      const { status } = await admin(server.current).get(`${path}?x=%00`);
      assert.ok(status === 200 || status === 400, path);
    }
  });

  test('bad percent-encoding answers 400 in the shape of the area', async () => {
    for (const [path, shape] of [
      ['/%', 'error'],
      ['/%zz', 'error'],
      ['/admin/users/%', 'error'],
      ['/admin/users/%E0%A4%A', 'error'],
      ['/admin/users/%C0%80', 'error'],
      ['/api/%', 'code'],
      ['/api/prompt/%', 'prompt'],
      ['/proxy/videovendor/%', 'details'],
    ] as const) {
      const { status, body } = await admin(server.current).get(path);
      assert.equal(status, 400, path);
      assertShape(body, shape);
    }
  });

  test('a compressed body answers 415, and 401 before that where a credential is missing', async () => {
    const options = { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: '{}' };
    const { status, body } = await anyone().request('POST', '/auth/token', options);
    assert.equal(status, 415);
    assertShape(body, 'error');
    assert.equal((await admin(server.current).request('POST', '/customers/api-keys', options)).status, 415);
    assert.equal((await anyone().request('POST', '/customers/api-keys', options)).status, 401);
  });

  test('a missing credential answers 401 before anything is said about the body', async () => {
    for (const [type, body] of [
      ['text/plain', 'x'],
      ['application/json', '{'],
      ['application/json', '{}'],
      ['application/json', ' '.repeat(MIB + 1)],
    ] as const) {
      const { status } = await anyone().request('POST', '/admin/users', {
        headers: { 'content-type': type },
        body,
      });
      assert.equal(status, 401, `${type} ${body.slice(0, 5)}`);
    }
  });

  test('a body that reaches for the prototype answers 400', async () => {
    for (const bad of [
      '{"__proto__":{"role":"admin"},"name":"x"}',
      '{"name":"x","y":{"__proto__":{}}}',
      '{"name":"x","\\u005f_proto__":{}}',
      '{"name":"x","constructor":{"prototype":{"role":"admin"}}}',
    ]) {
      const { status, body } = await admin(server.current).request('POST', '/customers/api-keys', {
        headers: JSON_TYPE,
        body: bad,
      });
      assert.equal(status, 400, bad);
      assertShape(body, 'error');
    }
  });

  test('a query key that comes twice, or is not a number where one is due, answers 400', async () => {
    for (const query of [
      'page=1&page=2',
      'limit=1&limit=1',
      'page=one',
      'page=',
      'page=0',
      'page=-1',
      'page=1.5',
      'page=1e99',
      'limit=101',
      'page=99999999999999999999',
    ]) {
      const { status, body } = await admin(server.current).get(`/admin/users?${query}`);
      assert.equal(status, 400, query);
      assertShape(body, 'error');
    }
    const { status } = await admin(server.current).get('/admin/users?color=red&color=blue&__proto__=1');
    assert.equal(status, 200, 'unknown keys are ignored');
  });

  test('deep nesting answers 400 and harms nobody', async () => {
    const nested = (open: string, close: string, middle: string, depth: number) =>
      open.repeat(depth) + middle + close.repeat(depth);
    for (const bad of [
      nested('[', ']', '', 250_000),
      nested('[', ']', '"\\u0000"', 250_000),
      nested('{"a":', '}', '1', 100_000),
      nested('{"a":', '}', '{"__proto__":1}', 100_000),
      `{"email":${nested('[', ']', '1', 100_000)},"password":"x"}`,
      '['.repeat(MIB),
    ]) {
      const { status } = await signIn(bad);
      assert.equal(status, 400, `${bad.slice(0, 20)} (${bad.length} bytes)`);
    }
    assert.equal((await anyone().get('/health')).status, 200);
  });

  test('a value of the wrong type answers 400: nothing is guessed', async () => {
    const root = admin(server.current);
    for (const [method, path, body] of [
      ['POST', '/auth/token', { email: 1, password: 'x' }],
      ['POST', '/auth/token', { email: ['a@example.org'], password: 'x' }],
      ['POST', '/auth/token', { email: 'a@example.org', password: 12345678 }],
      ['POST', '/auth/token', { email: 'a@example.org', password: null }],
      ['POST', '/auth/session', { email: {}, password: 'x' }],
      ['POST', '/customers/api-keys', { name: 7 }],
      ['POST', '/customers/api-keys', { name: 'x', description: false }],
      ['POST', '/admin/users/x/credits', { amount: '5' }],
      ['POST', '/admin/users/x/credits', { amount: true }],
      ['POST', '/admin/users/x/credits', { amount: [5] }],
      ['POST', '/admin/users/x/ban', { reason: 5 }],
      ['PUT', '/admin/users/x/role', { role: 1 }],
      ['PUT', '/admin/users/x/subscription', { tier: 'pro', status: true }],
    ] as const) {
      const answer = await root.request(method, path, { body });
      assert.equal(answer.status, 400, `${method} ${path} ${JSON.stringify(body)}`);
      assertShape(answer.body, 'error');
    }
  });

  test('HEAD answers like GET without a body', async () => {
    const health = await anyone().request<string>('HEAD', '/health');
    assert.equal(health.status, 200);
    assert.equal(health.headers.get('content-length'), '2');
    assert.equal(health.body, '');
    const unknown = await anyone().request<string>('HEAD', '/x');
    assert.equal(unknown.status, 404);
    assert.equal(unknown.body, '');
    assert.equal((await anyone().request('HEAD', '/customers/me')).status, 401);
  });

  test('a method that a route does not have answers 404', async () => {
    for (const method of ['PATCH', 'PROPFIND', 'PURGE', 'DELETE']) {
      const { status, body } = await anyone().request(method, '/health');
      assert.equal(status, 404, method);
      assertShape(body, 'error');
    }
  });

  test('a caller may name the request, and a name that does not belong in a log is replaced', async () => {
    const named = await anyone().get('/health', { 'x-request-id': 'my-request.0001' });
    assert.equal(named.headers.get('x-request-id'), 'my-request.0001');
    const ids = new Set<string | null>();
    for (const bad of ['x', '{"level":"fatal"}', 'a'.repeat(65), 'has spaces in it']) {
      const { headers } = await anyone().get('/health', { 'x-request-id': bad });
      assert.notEqual(headers.get('x-request-id'), bad);
      ids.add(headers.get('x-request-id'));
    }
    assert.equal(ids.size, 4);
  });

  test('none of this was a failure of the server', () => {
    const failures = server.current
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    assert.deepEqual(failures, []);
  });
});
