import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createPostgresDatabase, type RunningServer, startServer, type TestDatabase } from '@atelier/testing';

import { CLIENT, signInAt } from '../support/atelier-sign-in.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newPerson, type Person } from '../support/people.ts';
import { startSecond } from '../support/second-server.ts';
import { onAnyEngine } from '../support/servers.ts';

const CALLBACK = 'http://127.0.0.1:40755/callback';
const PROXY = { ATELIER_TRUST_PROXY: '127.0.0.1' };
type Fields = Readonly<Record<string, string>>;

interface Keys {
  readonly api_keys: readonly { readonly id: string; readonly name: string; readonly scopes?: string[] }[];
}

onAnyEngine(
  'signing in to the Atelier command line in a browser',
  (server) => {
    const here = () => signInAt(server.current.url);
    const verifier = () => randomBytes(32).toString('base64url');
    const authorizePath = (secret: string, changes: Fields = {}) =>
      `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: CLIENT,
        redirect_uri: CALLBACK,
        state: 'a state',
        code_challenge: createHash('sha256').update(secret).digest('base64url'),
        code_challenge_method: 'S256',
        ...changes,
      })}`;
    const answerOf = (headers: Headers) =>
      Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
    const codeFor = async ({ email, password }: Person, secret: string, changes: Fields = {}) => {
      const fields = { decision: 'allow', email, password };
      const origin = server.current.url;
      const { status, headers } = await here().send(authorizePath(secret, changes), fields, { origin });
      assert.equal(status, 302);
      return answerOf(headers)['code'] ?? '';
    };
    const exchange = async (code: string, code_verifier: string, changes: Fields = {}) =>
      await here().token({
        grant_type: 'authorization_code',
        code,
        code_verifier,
        redirect_uri: CALLBACK,
        ...changes,
      });
    const api = (key = '') => client(server.current.url, { apiKey: key });

    test('[ACC-6] the page says what is asked for, and the exchange gives a key with that name and those scopes', async () => {
      const person = await newPerson(server.current);
      const secret = verifier();
      const wanted = { scope: 'workflows account', device_name: 'ada <b>laptop' };
      const { html } = await here().page(authorizePath(secret, wanted));
      for (const text of [
        'Atelier command line',
        'ada &#60;b&#62;laptop',
        'This computer',
        'Run workflows',
        'See your credits',
      ]) {
        assert.ok(html.includes(text), text);
      }
      assert.doesNotMatch(html, /Generate|Publish|Administer/);
      const { status, body } = await exchange(await codeFor(person, secret, wanted), secret);
      assert.equal(status, 200, JSON.stringify(body));
      const { access_token: key, ...others } = body;
      assert.deepEqual(others, { token_type: 'Bearer', scope: 'workflows account' });
      assert.match(key ?? '', /^atelier_/);
      const { body: listed } = await api(key).get<Keys>('/customers/api-keys');
      assert.deepEqual(
        listed.api_keys.map(({ name, scopes }) => [name, scopes]),
        [['Atelier command line on ada <b>laptop', ['workflows', 'account']]],
      );
      assert.equal((await api(key).get('/proxy/tasks')).status, 403);
    });

    test('[ACC-6] without scope it is everything but administration, and without a name that of the program', async () => {
      const person = await newPerson(server.current);
      const secret = verifier();
      const { body } = await exchange(await codeFor(person, secret), secret);
      assert.equal(body.scope, 'workflows generation registry account');
      const { body: listed } = await api(body.access_token).get<Keys>('/customers/api-keys');
      assert.equal(listed.api_keys[0]?.name, 'Atelier command line');
    });

    test('[ACC-6] a code is good once, as it was issued, for its client and its verifier', async () => {
      const person = await newPerson(server.current);
      const secret = verifier();
      const code = await codeFor(person, secret, { scope: 'registry' });
      const [random = ''] = code.split('.');
      const more = Buffer.from(JSON.stringify([null, 'registry', 'admin'])).toString('base64url');
      for (const [wrongCode, wrongVerifier, changes] of [
        [`${random}.${more}`, secret, {}],
        [random, secret, {}],
        [`${code}x`, secret, {}],
        [code, verifier(), {}],
        [code, secret, { client_id: 'comfy-cli' }],
        [code, secret, { redirect_uri: 'http://127.0.0.1:1/callback' }],
      ] as const) {
        const { status, body } = await exchange(wrongCode, wrongVerifier, changes);
        assert.deepEqual([status, body.error], [400, 'invalid_grant']);
      }
      const statuses = await Promise.all([1, 2, 3].map(async () => (await exchange(code, secret)).status));
      assert.deepEqual(statuses.toSorted(), [200, 400, 400]);
    });

    test('[ACC-6] a wrong scope or device name goes back to the program, and so does a refusal', async () => {
      const secret = verifier();
      for (const [changes, error] of [
        [{ scope: 'everything' }, 'invalid_scope'],
        [{ device_name: 'two\nlines' }, 'invalid_request'],
        [{ device_name: 'x'.repeat(65) }, 'invalid_request'],
        [{ response_type: 'token' }, 'unsupported_response_type'],
      ] as const) {
        const { status, headers } = await here().page(authorizePath(secret, changes));
        assert.deepEqual([status, answerOf(headers)], [302, { error, state: 'a state' }]);
      }
      const origin = server.current.url;
      const denied = await here().send(authorizePath(secret), { decision: 'deny' }, { origin });
      assert.equal(answerOf(denied.headers)['error'], 'access_denied');
      const forged = { origin: 'null' };
      const refused = await here().send<string>(authorizePath(secret), { decision: 'allow' }, forged);
      assert.equal(refused.status, 403);
      assert.match(refused.body, /<p role="alert">This form must be sent from its page/);
      const { body } = await here().token({ grant_type: 'refresh_token', refresh_token: 'x' });
      assert.equal(body.error, 'unauthorized_client');
    });

    test('[ACC-6] a session is enough, a ban and a new password hold the code up or end it', async () => {
      const person = await newPerson(server.current);
      const cookie = await cookieOf(server.current, person);
      const secret = verifier();
      const path = authorizePath(secret);
      assert.ok((await here().page(path, { cookie })).html.includes(person.email));
      const own = { cookie, origin: server.current.url };
      const allowed = await here().send(path, { decision: 'allow' }, own);
      const code = answerOf(allowed.headers)['code'] ?? '';
      await admin(server.current).post(`/admin/users/${person.id}/ban`, { reason: 'x' });
      assert.equal((await exchange(code, secret)).status, 403);
      await admin(server.current).post(`/admin/users/${person.id}/unban`);
      await admin(server.current).put(`/admin/users/${person.id}/password`, { password: 'another one' });
      assert.equal((await exchange(code, secret)).body.error, 'invalid_grant');
    });

    test('[ACC-12] a program signs out with its key, whatever its scopes are; nobody learns whether there was one', async () => {
      const person = await newPerson(server.current);
      const secret = verifier();
      const { body } = await exchange(await codeFor(person, secret, { scope: 'registry' }), secret);
      const key = body.access_token ?? '';
      for (const token of [`${key}x`, '', 'refresh:x']) {
        assert.equal((await here().send('/oauth/revoke', { token })).status, 200);
      }
      assert.equal((await api(key).get('/customers/me')).status, 200);
      const { status, body: answer } = await here().send('/oauth/revoke', { token: key });
      assert.deepEqual([status, answer], [200, {}]);
      assert.equal((await api(key).get('/customers/me')).status, 401);
      assert.equal((await here().send('/oauth/revoke', { token: key })).status, 200);
      assert.equal((await here().send('/oauth/revoke', {})).status, 400);
    });
  },
  { environment: PROXY },
);

describe('signing in at two servers on one PostgreSQL', () => {
  const releases: (() => Promise<void>)[] = [];
  let first: RunningServer;
  let second: { readonly url: string };

  before(async () => {
    const database: TestDatabase = await createPostgresDatabase();
    releases.push(database.drop);
    const shared = { ...PROXY, ATELIER_RUNNERS: '0', ATELIER_DATABASE_URL: database.url };
    first = await startServer({ environment: shared });
    releases.push(async () => await first[Symbol.asyncDispose]());
    const other = await startSecond(first, shared);
    releases.push(async () => await other[Symbol.asyncDispose]());
    second = other;
  });
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });

  test('[ACC-7] what is begun at one server is allowed at the other, and both together give one key', async () => {
    const person = await newPerson(first);
    const [a, b] = [signInAt(first.url), signInAt(second.url)];
    const begun = await a.begin({ scope: 'workflows' });
    assert.equal((await b.poll(begun)).body.error, 'authorization_pending');
    assert.equal((await b.decide(begun, { ...person, decision: 'allow' })).status, 200);
    const answers = await Promise.all([a, b, a, b].map(async (server) => await server.poll(begun)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
    const key = answers.find(({ status }) => status === 200)?.body.access_token ?? '';
    for (const { url } of [first, second]) {
      assert.equal((await client(url, { apiKey: key }).get('/api/queue')).status, 200);
      assert.equal((await client(url, { apiKey: key }).get('/customers/credits')).status, 403);
    }
    assert.equal((await b.send('/oauth/revoke', { token: key })).status, 200);
    assert.equal((await client(first.url, { apiKey: key }).get('/api/queue')).status, 401);
  });
});
