import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { newSubmitter, setTier } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newPerson, type Person, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { textWorkflow } from '../support/workflows.ts';

interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly latest_version: number;
}
interface Workflows {
  readonly data: readonly Workflow[];
  readonly total: number;
}
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

/** What comfy-cli 1.23 sends, and what it needs in return. */
onAnyEngine('comfy-cli', (server) => {
  test('[HOST-28] workflow save, list, get and delete', async () => {
    const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
    const list = async (query = 'limit=20&sort=create_time&order=desc') =>
      (await ada.api.get<Workflows>(`/api/workflows?${query}`)).body;
    assert.deepEqual(await list(), { data: [], total: 0 });
    const workflow_json = textWorkflow();
    const save = async (name: string, others: object = {}) => {
      const { status, body } = await ada.api.post<Workflow>('/api/workflows', {
        name,
        workflow_json,
        ...others,
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const first = await save('My flux', { description: 'the first' });
    assert.partialDeepStrictEqual(first, { name: 'My flux', description: 'the first', latest_version: 1 });
    const second = await save('My flux');
    assert.deepEqual([second.name, second.description], ['My flux (1)', undefined]);
    await save('sub/other.json');
    const named = await list('limit=20&sort=name&order=asc&name=FLUX');
    assert.deepEqual(
      named.data.map(({ id, description }) => [id, description]),
      [
        [second.id, undefined],
        [first.id, 'the first'],
      ],
    );
    assert.deepEqual((await list('limit=1&sort=name&order=desc')).data[0]?.name, 'sub/other');
    assert.equal((await list('limit=1')).total, 3);
    const content = `/api/workflows/${encodeURIComponent(first.id)}/content`;
    assert.partialDeepStrictEqual((await ada.api.get(content)).body, {
      id: first.id,
      version: 1,
      workflow_json,
    });
    // The editor has the same files.
    const { body: files } = await ada.api.get<string[]>('/userdata?dir=workflows&recurse=true');
    assert.deepEqual(files, ['My flux (1).json', 'My flux.json', 'sub/other.json']);
    const moved = await ada.api.post('/userdata/workflows%2FMy%20flux.json/move/workflows%2Fmoved.json');
    assert.equal(moved.status, 200);
    assert.equal((await list('name=moved')).data[0]?.description, 'the first');
    const gone = await ada.api.get(content);
    assert.equal(gone.status, 404);
    assertShape(gone.body, 'code');
    assert.equal((await bob.api.get('/api/workflows/moved.json/content')).status, 404);
    assert.equal((await bob.api.delete('/api/workflows/moved.json')).status, 404);
    assert.equal((await ada.api.delete('/api/workflows/moved.json')).status, 204);
    assert.equal((await ada.api.delete('/api/workflows/moved.json')).status, 404);
    assert.equal((await list()).total, 2);
  });

  test('[HOST-28] numbers of any size come back, and what is not a workflow gets 400', async () => {
    const { api, key } = await newSubmitter(server.current);
    const seed = '18446744073709551615';
    const body = `{"name":"exact","workflow_json":{"1":{"inputs":{"seed":${seed}}}}}`;
    assert.equal((await api.request('POST', '/api/workflows', { body })).status, 201);
    const content = await fetch(`${server.current.url}/api/workflows/exact.json/content`, {
      headers: { 'x-api-key': key },
    });
    assert.match(await content.text(), new RegExp(`"seed":${seed}`));
    for (const wrong of [
      '',
      '[]',
      '{',
      '{"name":"x"}',
      '{"workflow_json":{}}',
      '{"name":"","workflow_json":{}}',
      '{"name":"x","workflow_json":[]}',
      '{"name":"../x","workflow_json":{}}',
      '{"name":"x","workflow_json":{},"description":1}',
    ]) {
      const { status, body: refusal } = await api.request('POST', '/api/workflows', { body: wrong });
      assert.equal(status, 400, wrong);
      assertShape(refusal, 'code');
    }
    for (const query of ['limit=0', 'limit=101', 'sort=size', 'order=up']) {
      assert.equal((await api.get(`/api/workflows?${query}`)).status, 400, query);
    }
    assert.equal((await api.get('/api/workflows/..%2Fx/content')).status, 400);
    assert.equal((await client(server.current.url).get('/api/workflows')).status, 401);
  });

  test('[HOST-29] cloud status: the subscription, the credits and the workspace', async () => {
    const person = await newPerson(server.current);
    const api = client(server.current.url, { bearer: await tokenOf(server.current, person) });
    const status = async () => (await api.get('/api/billing/status')).body;
    assert.deepEqual(await status(), { subscription_status: 'none', is_active: false, has_funds: false });
    await setTier(server.current, person.id, 'creator');
    await admin(server.current).post(`/admin/users/${person.id}/credits`, { amount: 422 });
    assert.deepEqual(await status(), {
      subscription_status: 'active',
      subscription_tier: 'CREATOR',
      plan_slug: 'creator',
      is_active: true,
      has_funds: true,
    });
    await setTier(server.current, person.id, 'creator', 'inactive');
    assert.partialDeepStrictEqual(await status(), { subscription_status: 'inactive', is_active: false });
    assert.deepEqual((await api.get('/api/billing/balance')).body, {
      credits: 422,
      amount_micros: 200,
      effective_balance_micros: 200,
      currency: 'usd',
    });
    const { body: workspace } = await api.get('/api/workspaces/current');
    assert.partialDeepStrictEqual(workspace, { id: person.id, type: 'personal', role: 'owner' });
    for (const path of ['/api/billing/status', '/api/billing/balance', '/api/workspaces/current']) {
      assert.equal((await client(server.current.url).get(path)).status, 401);
    }
  });

  const CALLBACK = 'http://127.0.0.1:40755/callback';
  const verifier = () => randomBytes(32).toString('base64url');
  const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');
  const authorizeUrl = (challenge: string, changes: Readonly<Record<string, string>> = {}) =>
    `${server.current.url}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: 'comfy-cli',
      redirect_uri: CALLBACK,
      scope: 'comfy-cloud:jobs:read comfy-cloud:jobs:write',
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${server.current.url}/api`,
      ...changes,
    })}`;
  const decide = async (
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { origin: server.current.url },
  ) =>
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers },
      body: new URLSearchParams(fields),
    });
  const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? '');
  const codeFor = async ({ email, password }: Person, secret: string) => {
    const answer = await decide(authorizeUrl(challengeOf(secret)), { decision: 'allow', email, password });
    assert.equal(answer.status, 302, await answer.text());
    return locationOf(answer).searchParams.get('code') ?? '';
  };
  const token = async (fields: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${server.current.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'comfy-cli', resource: `${server.current.url}/api`, ...fields }),
    });
    return { status: answer.status, body: (await answer.json()) as Tokens & { readonly error: string } };
  };
  const exchange = async (
    code: string,
    code_verifier: string,
    changes: Readonly<Record<string, string>> = {},
  ) =>
    await token({
      grant_type: 'authorization_code',
      code,
      code_verifier,
      redirect_uri: CALLBACK,
      ...changes,
    });
  const refresh = async (refresh_token: string) =>
    await token({ grant_type: 'refresh_token', refresh_token });
  const me = async (bearer: string) => await client(server.current.url, { bearer }).get('/customers/me');

  test('[HOST-30] cloud login: the page, the code, the tokens, and new tokens for the refresh token', async () => {
    const person = await newPerson(server.current);
    const secret = verifier();
    const page = await fetch(authorizeUrl(challengeOf(secret)));
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.match(await page.text(), /<form method="post">[^]*name="password"/);
    const { email, password } = person;
    const allowed = await decide(authorizeUrl(challengeOf(secret)), { decision: 'allow', email, password });
    const location = locationOf(allowed);
    assert.equal(location.origin + location.pathname, CALLBACK);
    assert.equal(location.searchParams.get('state'), 'a state');
    const { status, body } = await exchange(location.searchParams.get('code') ?? '', secret);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.token_type, 'Bearer');
    assert.ok(body.expires_in > 0);
    assert.equal((await me(body.access_token)).body['id'], person.id);
    const next = await refresh(body.refresh_token);
    assert.equal(next.status, 200);
    assert.notEqual(next.body.refresh_token, body.refresh_token);
    assert.equal((await me(next.body.access_token)).body['id'], person.id);
    // A client whose answer was lost asks again.
    assert.equal((await refresh(body.refresh_token)).status, 200);
    assert.equal((await refresh(next.body.refresh_token)).status, 200);
  });

  test('[HOST-30] a code is good once, for its client, its address and its verifier', async () => {
    const person = await newPerson(server.current);
    const secret = verifier();
    const code = await codeFor(person, secret);
    for (const [wrongCode, wrongVerifier, changes] of [
      [code, verifier(), {}],
      [code, '', {}],
      [`${code}x`, secret, {}],
      [code, secret, { redirect_uri: 'http://127.0.0.1:40756/callback' }],
    ] as const) {
      const { status, body } = await exchange(wrongCode, wrongVerifier, changes);
      assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    }
    const foreign = await exchange(code, secret, { client_id: 'other' });
    assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_client']);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await exchange(code, secret)).status));
    assert.deepEqual(statuses.toSorted(), [200, 400, 400]);
    assert.equal((await refresh(code)).body.error, 'invalid_grant');
    const other = await token({ grant_type: 'password', username: person.email, password: person.password });
    assert.deepEqual([other.status, other.body.error], [400, 'unsupported_grant_type']);
  });

  test('[HOST-30] a session cookie is enough, and only a page of this server may send the form', async () => {
    const person = await newPerson(server.current);
    const cookie = await cookieOf(server.current, person);
    const secret = verifier();
    const url = authorizeUrl(challengeOf(secret));
    assert.match(await (await fetch(url, { headers: { cookie } })).text(), new RegExp(person.email));
    const own = { cookie, origin: server.current.url };
    for (const headers of [
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
    ]) {
      assert.equal((await decide(url, { decision: 'allow' }, headers)).status, 403);
    }
    const allowed = await decide(url, { decision: 'allow' }, own);
    const { body } = await exchange(locationOf(allowed).searchParams.get('code') ?? '', secret);
    assert.equal((await me(body.access_token)).body['id'], person.id);
    const denied = locationOf(await decide(url, { decision: 'deny' }, own));
    assert.deepEqual(Object.fromEntries(denied.searchParams), { error: 'access_denied', state: 'a state' });
    assert.equal((await decide(url, { decision: 'allow' })).status, 401);
    const wrong = await decide(url, { decision: 'allow', email: person.email, password: '<b>wrong' });
    assert.equal(wrong.status, 401);
    assert.match(await wrong.text(), /role="alert"/);
    // Neither a code nor a refresh token is a session.
    for (const value of [
      await codeFor(person, secret),
      body.refresh_token,
      `refresh:${body.refresh_token}`,
    ]) {
      const session = client(server.current.url, { cookie: `atelier_session=${value}` });
      assert.equal((await session.get('/customers/me')).status, 401);
    }
  });

  test('[HOST-30] only programs that are known, at loopback addresses and with PKCE, are answered', async () => {
    const challenge = challengeOf(verifier());
    for (const changes of [
      { client_id: 'evil' },
      { client_id: 'toString' },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1:1@evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1:99999/callback' },
      { redirect_uri: 'http://127.0.0.1:1/elsewhere' },
      { redirect_uri: `${CALLBACK}\n` },
    ]) {
      for (const answer of [
        await fetch(authorizeUrl(challenge, changes), { redirect: 'manual' }),
        await decide(authorizeUrl(challenge, changes), { decision: 'deny' }),
      ]) {
        assert.equal(answer.status, 400, JSON.stringify(changes));
        assertShape(await answer.json(), 'error');
      }
    }
    for (const [changes, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ state: '' }, 'invalid_request'],
    ] as const) {
      const answer = await fetch(authorizeUrl(challenge, changes), { redirect: 'manual' });
      assert.equal(locationOf(answer).searchParams.get('error'), error);
    }
    const six = await fetch(authorizeUrl(challenge, { redirect_uri: 'http://[::1]:8/callback' }));
    assert.equal(six.status, 200);
  });

  test('[HOST-30] a new password ends codes and refresh tokens, and a ban holds them up', async () => {
    const person = await newPerson(server.current);
    const secret = verifier();
    const { body } = await exchange(await codeFor(person, secret), secret);
    const code = await codeFor(person, secret);
    const ban = async (path: string) =>
      assert.equal(
        (await admin(server.current).post(`/admin/users/${person.id}/${path}`, { reason: 'x' })).status,
        204,
      );
    await ban('ban');
    assert.equal((await refresh(body.refresh_token)).status, 403);
    await ban('unban');
    const next = await refresh(body.refresh_token);
    assert.equal(next.status, 200);
    const changed = { password: 'another password' };
    assert.equal(
      (await admin(server.current).put(`/admin/users/${person.id}/password`, changed)).status,
      204,
    );
    assert.equal((await refresh(next.body.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await exchange(code, secret)).body.error, 'invalid_grant');
  });
});
