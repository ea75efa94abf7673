import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES, freePort, type RunningServer, startServer } from '@atelier/testing';

import { client } from '../support/http-client.ts';
import { admin, cookieOf, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

const NEW_KEY = ['/customers/api-keys', { name: 'from the console' }] as const;

onEachEngine('the session cookie', (server) => {
  const begin = async () => await cookieOf(server.current, await newPerson(server.current));

  test('signing in answers 204 with a cookie that scripts and other sites cannot use', async () => {
    const { email, password } = await newPerson(server.current);
    const { status, headers, body } = await client(server.current.url).post<string>('/auth/session', {
      email,
      password,
    });
    assert.equal(status, 204);
    assert.equal(body, '');
    const attributes = attributesOf(headers);
    assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Strict']);
  });

  test('a wrong password answers 401 and sets no cookie', async () => {
    const { email } = await newPerson(server.current);
    const { status, headers } = await client(server.current.url).post('/auth/session', {
      email,
      password: 'wrong password',
    });
    assert.equal(status, 401);
    assert.deepEqual(headers.getSetCookie(), []);
  });

  test('reading needs the cookie alone', async () => {
    const cookie = await begin();
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const { status } = await client(server.current.url, { cookie }).get('/customers/me', headers);
      assert.equal(status, 200, JSON.stringify(headers));
    }
  });

  test("the cookie is found among other sites' cookies", async () => {
    const cookie = await begin();
    const crowded = `theme=dark; ${cookie}; broken; =; x="y`;
    assert.equal((await client(server.current.url, { cookie: crowded }).get('/customers/me')).status, 200);
  });

  test("writing needs the server's own origin", async () => {
    const cookie = await begin();
    const { origin } = new URL(server.current.url);
    const write = async (from?: string) =>
      (
        await client(server.current.url, { cookie, ...(from === undefined ? {} : { origin: from }) }).post(
          ...NEW_KEY,
        )
      ).status;
    assert.equal(await write(origin), 201);
    assert.equal(await write(), 403, 'no origin');
    for (const foreign of [
      'https://evil.example',
      'null',
      '',
      origin.replace('http:', 'https:'),
      `${origin}.evil.example`,
      `${origin}0`,
      'http://127.0.0.1',
      `${origin}/`,
      `http://evil@${new URL(origin).host}`,
    ]) {
      assert.equal(await write(foreign), 403, foreign);
    }
  });

  test('every kind of write asks for the origin', async () => {
    const person = await newPerson(server.current);
    const cookie = await cookieOf(server.current, person);
    const forged = client(server.current.url, { cookie, origin: 'https://evil.example' });
    const { id } = await newKey(client(server.current.url, { cookie, origin: server.current.url }));
    assert.equal((await forged.delete(`/customers/api-keys/${id}`)).status, 403);
    assert.equal(
      (
        await forged.put('/customers/me/password', {
          current_password: person.password,
          new_password: 'changed by another site',
        })
      ).status,
      403,
    );
    assert.equal((await forged.delete('/auth/session')).status, 403);
    assert.equal((await client(server.current.url, { cookie }).get('/customers/me')).status, 200);
    assert.ok(await tokenOf(server.current, person), 'the password is the old one');
  });

  test("an administrator's writes with the cookie are held to the same rule", async () => {
    const { email, password } = server.current.admin;
    const cookie = await cookieOf(server.current, { email, password });
    const { id } = await newPerson(server.current);
    const grant = [`/admin/users/${id}/credits`, { amount: 5 }] as const;
    assert.equal((await client(server.current.url, { cookie }).post(...grant)).status, 403);
    const own = client(server.current.url, { cookie, origin: server.current.url });
    assert.equal((await own.post(...grant)).status, 200);
  });

  test('a token or key beside the cookie decides, and needs no origin', async () => {
    const cookie = await begin();
    const { body } = await client(server.current.url, { apiKey: server.current.admin.api_key }).request<{
      id: string;
    }>('GET', '/customers/me', { headers: { cookie } });
    assert.equal(body.id, (await admin(server.current).get<{ id: string }>('/customers/me')).body.id);
    const wrong = await client(server.current.url, { apiKey: 'atelier_wrong' }).request(
      'GET',
      '/customers/me',
      {
        headers: { cookie },
      },
    );
    assert.equal(wrong.status, 401, 'a bad key is not rescued by a good cookie');
  });

  test('signing out ends the session for good and takes the cookie away', async () => {
    const cookie = await begin();
    const owner = client(server.current.url, { cookie, origin: server.current.url });
    const { status, headers } = await owner.delete('/auth/session');
    assert.equal(status, 204);
    const attributes = attributesOf(headers);
    assert.ok(
      attributes.includes('Max-Age=0') ||
        attributes.some((part) => part.startsWith('Expires=Thu, 01 Jan 1970')),
    );
    assert.ok(attributes.includes('Path=/'), 'a browser removes the cookie of the same path only');
    assert.equal((await owner.get('/customers/me')).status, 401);
    assert.equal((await owner.delete('/auth/session')).status, 401);
  });

  test("signing out leaves the person's other sessions alone", async () => {
    const person = await newPerson(server.current);
    const [here, there] = [await cookieOf(server.current, person), await cookieOf(server.current, person)];
    assert.notEqual(here, there);
    const leaving = client(server.current.url, { cookie: here, origin: server.current.url });
    assert.equal((await leaving.delete('/auth/session')).status, 204);
    assert.equal((await client(server.current.url, { cookie: there }).get('/customers/me')).status, 200);
  });

  test('a forged cookie answers 401', async () => {
    const [name = '', value = ''] = (await begin()).split('=');
    for (const forged of [
      '',
      'x',
      value.slice(1),
      `${value}x`,
      value.toLowerCase(),
      '%',
      '"',
      'a'.repeat(4000),
    ]) {
      const { status } = await client(server.current.url, { cookie: `${name}=${forged}` }).get(
        '/customers/me',
      );
      assert.equal(status, 401, forged);
    }
  });
});

for (const engine of ENGINES) {
  describe(`the session cookie behind TLS (${engine})`, () => {
    let server: RunningServer | undefined;
    let url = '';
    const started = (): RunningServer => {
      assert.ok(server);
      // The server names its public address, which nobody answers here.
      return { ...server, url };
    };

    before(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      server = await startServer({
        engine,
        environment: {
          ATELIER_PORT: String(port),
          ATELIER_PUBLIC_URL: 'https://Atelier.example.com:443/',
          ATELIER_SESSION_HOURS: '2',
        },
      });
    });
    after(async () => await server?.[Symbol.asyncDispose]());

    test('is sent over TLS only, and lives as long as the settings say', async () => {
      const { email, password } = started().admin;
      const { headers } = await client(url).post('/auth/session', { email, password });
      const attributes = attributesOf(headers);
      assert.deepEqual(attributes.toSorted(), [
        'HttpOnly',
        'Max-Age=7200',
        'Path=/',
        'SameSite=Strict',
        'Secure',
      ]);
    });

    const write = async (origin: string) => {
      const { email, password } = started().admin;
      const cookie = await cookieOf(started(), { email, password });
      return (await client(url, { cookie, origin }).post(...NEW_KEY)).status;
    };

    test('writes only from the public address, as browsers spell it', async () => {
      assert.equal(await write(url), 403, 'the address behind the proxy');
      assert.equal(await write('http://atelier.example.com'), 403, 'without TLS');
      assert.equal(await write('https://atelier.example.com:444'), 403, 'another port');
      assert.equal(await write('https://atelier.example.com'), 201);
    });
  });
}

function attributesOf(headers: Headers): string[] {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split('; ').slice(1);
}
