import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { client } from '../support/http-client.ts';
import { admin, cookieOf, newPerson } from '../support/people.ts';
import { newStudio } from '../support/registry-publishing.ts';
import { onAnyEngine } from '../support/servers.ts';
import { newPicture, upload } from '../support/user-files.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Route {
  readonly method: string;
  readonly path: string;
}

const READING = new Set(['GET', 'HEAD']);

/** Every route that needs a caller, with something in the place of each parameter. */
async function routesOf(url: string): Promise<Route[]> {
  const routes: Route[] = [];
  for (const address of ['/openapi', '/api/openapi.json']) {
    const { paths } = (await (await fetch(url + address)).json()) as Description;
    for (const [template, methods] of Object.entries(paths)) {
      for (const [method, { security = [], operationId }] of Object.entries(methods)) {
        if (security.length === 0 || operationId === 'auth.session.end') continue;
        routes.push({ method: method.toUpperCase(), path: template.replaceAll(/\{[^}]+\}/g, 'none') });
      }
    }
  }
  return routes;
}

onAnyEngine('the session cookie on every route', (server) => {
  let routes: Route[];
  let cookie: string;
  before(async () => {
    routes = await routesOf(server.current.url);
    cookie = await cookieOf(server.current, await newPerson(server.current));
  });
  /** The body is not waited for: some routes stream. */
  const call = async ({ method, path }: Route, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(server.current.url + path, {
      method,
      redirect: 'manual',
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    const text = answer.status >= 400 && isJson ? await answer.text() : '';
    await answer.body?.cancel().catch(() => {});
    return { status: answer.status, text };
  };

  test('[ACC-13] every route that needs a caller takes the cookie', async () => {
    assert.ok(routes.length > 150, `${routes.length} routes`);
    for (const route of routes) {
      const from = READING.has(route.method) ? {} : { origin: server.current.url };
      const { status, text } = await call(route, { cookie, ...from });
      const what = `${route.method} ${route.path}: ${status} ${text}`;
      assert.notEqual(status, 401, what);
      assert.ok(status < 500, what);
      assert.doesNotMatch(text, /auth\.(origin|required|invalid)/, what);
    }
  });

  test('[ACC-13] every change with the cookie is refused from another origin, and without one', async () => {
    const changes = routes.filter(({ method }) => !READING.has(method));
    assert.ok(changes.length > 60, `${changes.length} routes`);
    for (const route of changes) {
      for (const from of [{ origin: 'https://elsewhere.example' }, {}]) {
        const { status, text } = await call(route, { cookie, ...from });
        assert.equal(status, 403, `${route.method} ${route.path}: ${status} ${text}`);
        assert.match(text, /this server itself/);
      }
    }
  });

  test('[ACC-13] a route that is open to everybody shows more with the cookie', async () => {
    const { id, person } = await newStudio(server.current);
    const read = async (headers: Readonly<Record<string, string>>) =>
      JSON.stringify((await client(server.current.url).get(`/publishers/${id}`, headers)).body);
    assert.ok((await read({ cookie: await cookieOf(server.current, person) })).includes(person.email));
    for (const other of [cookie, 'atelier_session=wrong', 'theme=dark']) {
      assert.ok(!(await read({ cookie: other })).includes(person.email), other);
    }
  });

  test('[ACC-13] a banned person is refused where everybody may read, too', async () => {
    const person = await newPerson(server.current);
    const session = await cookieOf(server.current, person);
    const { status } = await admin(server.current).post(`/admin/users/${person.id}/ban`, { reason: 'test' });
    assert.equal(status, 204);
    assert.equal((await call({ method: 'GET', path: '/publishers/none' }, { cookie: session })).status, 403);
  });

  test('[ACC-13] the pictures of a page come by the cookie alone', async () => {
    const page = client(server.current.url, { cookie, origin: server.current.url });
    const { name, asset } = await upload(page, await newPicture());
    const paths = [`/api/view?filename=${name}&type=input`, `/api/assets/${asset.id}/content`];
    for (const path of paths) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      // `/api/view` leads to a signed link, which browsers follow.
      const answer = await fetch(server.current.url + path, { headers: { cookie }, signal });
      assert.equal(answer.headers.get('content-type'), 'image/png', path);
      assert.ok((await answer.arrayBuffer()).byteLength > 0);
      assert.equal((await call({ method: 'GET', path }, {})).status, 401, path);
    }
  });
});
