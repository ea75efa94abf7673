import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { generateKeyPair } from 'jose';

import { type BrowserIssuer, CLIENT_ID, startBrowserIssuer } from '../support/browser-issuer.ts';
import { client } from '../support/http-client.ts';
import { admin, newPerson } from '../support/people.ts';
import { onAnyEngine, onEachEngine, type SharedServer } from '../support/servers.ts';

const BEGIN = '/auth/outside?return_to=%2Fconsole%2Fjobs%3Fa%3D1%26b%3D2';

const newcomer = () => ({ sub: randomUUID(), email: `${randomUUID()}@example.org`, name: 'Grace' });
const cookiesOf = (headers: Headers) => headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');

/** A browser without cookies of its own: what it sends is said each time. */
function browserOf(server: SharedServer, issuer: () => BrowserIssuer) {
  const get = async (path: string, cookie?: string) =>
    await client(server.current.url).get<string>(path, cookie === undefined ? {} : { cookie });
  const begin = async (path = BEGIN) => {
    const { status, headers } = await get(path);
    assert.equal(status, 302);
    const [ticket = ''] = cookiesOf(headers);
    return { page: new URL(headers.get('location') ?? ''), ticket, headers };
  };
  const comeBack = async (page: URL, ticket: string, answer: Readonly<Record<string, string>>) => {
    const state = page.searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, iss: issuer().issuer, ...answer });
    return await get(`/auth/outside/callback?${query}`, ticket);
  };
  /** Everything, with an answer that is good but for what is given. */
  const signIn = async (claims: Readonly<Record<string, unknown>>, key?: CryptoKey) => {
    const { page, ticket } = await begin();
    return await comeBack(page, ticket, { code: issuer().approve(page, claims, key) });
  };
  const problemOf = ({ status, headers }: { status: number; headers: Headers }) => {
    assert.equal(status, 302);
    const { pathname, searchParams } = new URL(headers.get('location') ?? '', server.current.url);
    assert.equal(pathname, '/console/sign-in');
    assert.ok(!cookiesOf(headers).some((cookie) => cookie.startsWith('atelier_session=')), 'no session');
    return searchParams.get('error');
  };
  return { get, begin, comeBack, signIn, problemOf };
}

let issuer: BrowserIssuer;
onAnyEngine(
  'signing in at the outside issuer',
  (server) => {
    const { get, begin, comeBack, signIn, problemOf } = browserOf(server, () => issuer);
    const me = async (headers: Headers) => {
      const cookie = cookiesOf(headers).find((one) => one.startsWith('atelier_session='));
      return (await client(server.current.url, { cookie: cookie ?? '' }).get('/customers/me')).body;
    };

    test('[ACC-14] the ways to sign in are known before', async () => {
      const { body } = await client(server.current.url).get('/auth/methods');
      assert.deepEqual(body, { password: true, outside: { name: 'Example ID' } });
    });

    test('[ACC-15] leads to the issuer with PKCE, state and nonce', async () => {
      const { page, headers } = await begin();
      const { challenge, state, nonce, ...fixed } = Object.fromEntries(
        [...page.searchParams].map(([name, value]) => [
          name === 'code_challenge' ? 'challenge' : name,
          value,
        ]),
      );
      assert.equal(page.origin + page.pathname, `${issuer.issuer}/authorize`);
      assert.deepEqual(fixed, {
        tenant: 'one',
        response_type: 'code',
        client_id: CLIENT_ID,
        redirect_uri: `${server.current.url}/auth/outside/callback`,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
      });
      assert.equal(new Set([challenge, state, nonce]).size, 3);
      for (const value of [challenge, state, nonce]) assert.match(value ?? '', /^[\w-]{43}$/);
      const [cookie = ''] = headers.getSetCookie();
      assert.match(cookie, /; Max-Age=600; Path=\/auth\/outside; HttpOnly; SameSite=Lax$/);
      assert.ok(!cookie.includes(state ?? ''), 'what the browser keeps is sealed');
    });

    test('[ACC-15] begins a session of the account and goes on to the page', async () => {
      const claims = newcomer();
      const answer = await signIn(claims);
      assert.equal(answer.status, 200);
      assert.match(answer.body, /content="0;url=\/console\/jobs\?a=1&#38;b=2"/);
      const [first, again] = [await me(answer.headers), await me((await signIn(claims)).headers)];
      assert.equal(first['email'], claims.email);
      assert.equal(again['id'], first['id'], 'the same account the next time');
    });

    test('[ACC-15] without return_to goes on to the console', async () => {
      const { page, ticket } = await begin('/auth/outside');
      const { body } = await comeBack(page, ticket, { code: issuer.approve(page, newcomer()) });
      assert.match(body, /content="0;url=\/console\/"/);
    });

    test('[ACC-11] the pages that let programs in lead to the issuer and back', async () => {
      const form = new URLSearchParams({ client_id: 'atelier-cli' });
      const asked = await fetch(`${server.current.url}/oauth/device_authorization`, {
        method: 'POST',
        body: form,
      });
      const { user_code: code } = (await asked.json()) as { user_code: string };
      const path = `/device?user_code=${code}`;
      const { body } = await get(path);
      const link = /href="([^"]+)">Sign in with Example ID</.exec(body)?.[1] ?? '';
      const { page, ticket } = await begin(link.replaceAll('&#38;', '&'));
      const claims = newcomer();
      const back = await comeBack(page, ticket, { code: issuer.approve(page, claims) });
      assert.ok(back.body.includes(`url=${path}"`), back.body);
      const session = cookiesOf(back.headers).find((one) => one.startsWith('atelier_session='));
      assert.ok((await get(path, session)).body.includes(claims.email));
    });

    test('[ACC-15] leads to no other server', async () => {
      for (const path of [
        'https://elsewhere.example',
        '//elsewhere.example',
        '/\\elsewhere.example',
        '/\t/elsewhere.example',
        '/.//elsewhere.example',
        'javascript:alert(1)',
        'console',
      ]) {
        const { status } = await get(`/auth/outside?return_to=${encodeURIComponent(path)}`);
        assert.equal(status, 400, path);
      }
      const { page, ticket } = await begin(`/auth/outside?return_to=${encodeURIComponent('/"><script>')}`);
      const { body } = await comeBack(page, ticket, { code: issuer.approve(page, newcomer()) });
      assert.ok(!body.includes('<script>'));
    });

    test('[ACC-16] a sign-in counts once, even if the issuer takes the code twice', async () => {
      const { page, ticket } = await begin();
      const code = issuer.approve(page, newcomer());
      assert.equal((await comeBack(page, ticket, { code })).status, 200);
      assert.equal(problemOf(await comeBack(page, ticket, { code })), 'auth.sign_in_ended');
      const next = issuer.approve(page, newcomer());
      assert.equal(
        problemOf(await comeBack(page, ticket, { code: next })),
        'auth.sign_in_ended',
        'another code',
      );
    });

    test('[ACC-16] belongs to the browser that began it', async () => {
      const { page, ticket } = await begin();
      const other = await begin();
      const code = issuer.approve(page, newcomer());
      const before = issuer.exchanges();
      const altered = `${ticket.slice(0, -2)}${ticket.endsWith('AA') ? 'BB' : 'AA'}`;
      for (const cookie of ['', 'atelier_outside=', 'atelier_outside=%00', altered, other.ticket]) {
        assert.equal(problemOf(await comeBack(page, cookie, { code })), 'auth.sign_in_ended', cookie);
      }
      for (const state of ['', 'x', other.page.searchParams.get('state') ?? '']) {
        assert.equal(problemOf(await comeBack(page, ticket, { code, state })), 'auth.sign_in_ended', state);
      }
      assert.equal(issuer.exchanges(), before, 'the code has not left the server');
    });

    test('[ACC-16] an answer of another issuer is not for this one', async () => {
      const { page, ticket } = await begin();
      const code = issuer.approve(page, newcomer());
      const before = issuer.exchanges();
      const answer = await comeBack(page, ticket, { code, iss: 'https://elsewhere.example' });
      assert.equal(problemOf(answer), 'auth.sign_in_ended');
      assert.equal(issuer.exchanges(), before);
    });

    test('[ACC-16] the ID token must be for this sign-in, this client and this issuer', async () => {
      const now = Math.floor(Date.now() / 1000);
      for (const wrong of [
        { nonce: 'another' },
        { nonce: undefined },
        { aud: 'atelier-programs' },
        { aud: [CLIENT_ID, 'another'], azp: 'another' },
        { iss: 'https://elsewhere.example' },
        { exp: now - 600, iat: now - 900 },
        { sub: undefined },
        { email: undefined },
      ]) {
        const answer = await signIn({ ...newcomer(), ...wrong });
        assert.equal(problemOf(answer), 'auth.invalid', JSON.stringify(wrong));
      }
      const { privateKey } = await generateKeyPair('ES256');
      assert.equal(problemOf(await signIn(newcomer(), privateKey)), 'auth.invalid', 'the key of a stranger');
    });

    test('[ACC-16] an ID token is not a bearer token', async () => {
      const { page } = await begin();
      const bearer = await issuer.idToken(page, newcomer());
      assert.equal((await client(server.current.url, { bearer }).get('/customers/me')).status, 401);
    });

    test('[ACC-17] what goes wrong leads to the sign-in page with a code', async () => {
      const { page, ticket } = await begin();
      const declined = await comeBack(page, ticket, { error: 'access_denied' });
      assert.equal(problemOf(declined), 'auth.sign_in_refused');
      const { searchParams } = new URL(declined.headers.get('location') ?? '', server.current.url);
      assert.equal(searchParams.get('return_to'), '/console/jobs?a=1&b=2');
      assert.equal(problemOf(await comeBack(page, ticket, { code: 'unknown' })), 'auth.sign_in_refused');

      const local = await newPerson(server.current);
      const joining = { ...newcomer(), email: local.email };
      assert.equal(problemOf(await signIn(joining)), 'auth.forbidden', 'not vouched for');
      await admin(server.current).post(`/admin/users/${local.id}/ban`, { reason: 'test' });
      assert.equal(problemOf(await signIn({ ...joining, email_verified: true })), 'auth.banned');
    });

    test('[ACC-17] an issuer that answers nonsense is out of reach, or refuses', async () => {
      const answers = [
        [{ status: 500, body: 'sorry' }, 'auth.invalid'],
        [{ status: 200, body: '[]' }, 'auth.invalid'],
        [{ status: 200, body: '{"access_token":"x","token_type":"Bearer"}' }, 'auth.invalid'],
        [{ status: 200, body: ' '.repeat(2 ** 20) }, 'auth.issuer_unreachable'],
        [{ status: 400, body: '{"error":"invalid_client"}' }, 'auth.sign_in_refused'],
      ] as const;
      for (const [token, code] of answers) {
        issuer.answers.token = token;
        try {
          assert.equal(problemOf(await signIn(newcomer())), code, token.body.slice(0, 60));
        } finally {
          issuer.answers.token = undefined;
        }
      }
    });
  },
  {
    environment: async () => {
      issuer ??= await startBrowserIssuer({ keepsCodes: true });
      return issuer.settings;
    },
  },
);
after(async () => await issuer?.[Symbol.asyncDispose]());

let plain: BrowserIssuer;
onAnyEngine(
  'signing in at an outside issuer that gives no secret',
  (server) => {
    const { get, signIn, problemOf } = browserOf(server, () => plain);

    test('[ACC-17] whose addresses are not its own is out of reach, until they are', async () => {
      for (const discovery of [{}, { issuer: 'https://elsewhere.example' }, { issuer: plain.issuer }, []]) {
        plain.answers.discovery = discovery;
        assert.equal(problemOf(await get(BEGIN)), 'auth.issuer_unreachable', JSON.stringify(discovery));
      }
      plain.answers.discovery = undefined;
      await server.restart();
      assert.equal((await signIn(newcomer())).status, 200, 'as a public client');
    });
  },
  {
    environment: async () => {
      plain ??= await startBrowserIssuer({ hasSecret: false });
      return plain.settings;
    },
  },
);
after(async () => await plain?.[Symbol.asyncDispose]());

onEachEngine('without an outside issuer', (server) => {
  test('[ACC-14] there is the password alone', async () => {
    const api = client(server.current.url);
    assert.deepEqual((await api.get('/auth/methods')).body, { password: true, outside: null });
    for (const path of ['/auth/outside', '/auth/outside/callback?code=x&state=y']) {
      assert.equal((await api.get(path)).status, 404);
    }
  });
});
