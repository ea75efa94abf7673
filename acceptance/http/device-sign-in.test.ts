import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { anAddress, DEVICE_GRANT, signInAt } from '../support/atelier-sign-in.ts';
import { client } from '../support/http-client.ts';
import { ODD_NAMES } from '../support/odd-names.ts';
import { type OutsideIssuer, startIssuer } from '../support/outside-issuer.ts';
import { admin, cookieOf, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine, onEachEngine } from '../support/servers.ts';

const PROXY = { ATELIER_TRUST_PROXY: '127.0.0.1' };
const STANDARD = 'workflows generation registry account';

interface Keys {
  readonly api_keys: readonly { readonly id: string; readonly name: string; readonly scopes?: string[] }[];
}

onEachEngine(
  'signing in on a device without a browser',
  (server) => {
    const here = (address?: string) => signInAt(server.current.url, address);
    const me = async (key = '') => await client(server.current.url, { apiKey: key }).get('/customers/me');
    const keysOf = async (key = '') =>
      (await client(server.current.url, { apiKey: key }).get<Keys>('/customers/api-keys')).body.api_keys;
    const ban = async (id: string, path: string) =>
      assert.equal(
        (await admin(server.current).post(`/admin/users/${id}/${path}`, { reason: 'x' })).status,
        204,
      );

    test('[ACC-7] a program gets codes, a person allows it, and the program gets a key with a name, once', async () => {
      const person = await newPerson(server.current);
      const device = here();
      const { headers, body: begun } = await device.ask({ device_name: ' render box ' });
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(begun.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
      assert.deepEqual([begun.expires_in, begun.interval], [600, 5]);
      assert.equal(begun.verification_uri, `${server.current.url}/device`);
      assert.equal(begun.verification_uri_complete, `${begun.verification_uri}?user_code=${begun.user_code}`);
      assert.deepEqual((await device.poll(begun)).body.error, 'authorization_pending');
      const { email, password } = person;
      const typed = { user_code: begun.user_code.toLowerCase().replace('-', '') };
      const allowed = await here().decide(typed, { decision: 'allow', email, password });
      assert.equal(allowed.status, 200, allowed.body);
      assert.match(allowed.body, /Your device is signed in/);
      const issued = await device.poll(begun);
      assert.equal(issued.status, 200);
      assert.equal(issued.headers.get('cache-control'), 'no-store');
      const { access_token: key, ...others } = issued.body;
      assert.deepEqual(others, { token_type: 'Bearer', scope: STANDARD });
      assert.equal((await me(key)).body['id'], person.id);
      const [listed, ...more] = await keysOf(key);
      assert.deepEqual(
        [listed?.name, listed?.scopes, more.length],
        ['Atelier command line on render box', STANDARD.split(' '), 0],
      );
      assert.equal((await device.poll(begun)).body.error, 'invalid_grant');
      assert.equal(
        (await client(server.current.url, { apiKey: key ?? '' }).delete(`/customers/api-keys/${listed?.id}`))
          .status,
        204,
      );
      assert.equal((await me(key)).status, 401);
    });

    test('[ACC-7] the key has the scopes that were asked for and shown, and no others', async () => {
      const person = await newPerson(server.current);
      const device = here();
      const begun = await device.begin({ scope: 'registry  workflows' });
      const { html } = await device.page(`/device?user_code=${begun.user_code}`);
      assert.match(html, /Run workflows/);
      assert.match(html, /Publish node packs/);
      assert.doesNotMatch(html, /credits|Administer/);
      await device.decide(begun, { ...person, decision: 'allow' });
      const { body } = await device.poll(begun);
      assert.equal(body.scope, 'workflows registry');
      assert.equal(
        (await client(server.current.url, { apiKey: body.access_token ?? '' }).get('/customers/credits'))
          .status,
        403,
      );
    });

    test('[ACC-8] requests that are wrong get the errors of the RFCs', async () => {
      const device = here();
      for (const [fields, error] of [
        [{ client_id: 'other' }, 'invalid_client'],
        [{ client_id: 'toString' }, 'invalid_client'],
        [{ client_id: 'comfy-cli' }, 'unauthorized_client'],
        [{ scope: 'workflows everything' }, 'invalid_scope'],
        [{ scope: 'WORKFLOWS' }, 'invalid_scope'],
        [{ device_name: 'x'.repeat(65) }, 'invalid_request'],
      ] as const) {
        const { status, body } = await device.ask(fields);
        assert.deepEqual([status, body.error], [400, error], JSON.stringify(fields));
        assert.equal(typeof body.error_description, 'string');
      }
      const begun = await device.begin();
      const device_code = begun.device_code;
      for (const [fields, error] of [
        [{ grant_type: DEVICE_GRANT }, 'invalid_grant'],
        [{ grant_type: DEVICE_GRANT, device_code: `${device_code}x` }, 'invalid_grant'],
        [{ grant_type: DEVICE_GRANT, device_code: begun.user_code }, 'invalid_grant'],
        [{ grant_type: DEVICE_GRANT, device_code, client_id: 'comfy-cli' }, 'unauthorized_client'],
        [{ grant_type: DEVICE_GRANT, device_code, client_id: 'other' }, 'invalid_client'],
        [{ grant_type: 'device_code', device_code }, 'unsupported_grant_type'],
        [{ grant_type: 'refresh_token', refresh_token: device_code }, 'unauthorized_client'],
      ] as const) {
        const { status, body } = await device.token(fields);
        assert.deepEqual([status, body.error], [400, error], JSON.stringify(fields));
      }
      assert.equal((await device.poll(begun)).body.error, 'authorization_pending');
      const hasty = await Promise.all([1, 2, 3].map(async () => (await device.poll(begun)).body.error));
      assert.ok(hasty.includes('slow_down'));
    });

    test('[ACC-8] what is denied stays denied, without signing in', async () => {
      const device = here();
      const begun = await device.begin();
      assert.match((await here().decide(begun, { decision: 'deny' })).body, /Denied/);
      for (const _ of [1, 2]) assert.equal((await device.poll(begun)).body.error, 'access_denied');
      const person = await newPerson(server.current);
      assert.equal((await here().decide(begun, { ...person, decision: 'allow' })).status, 404);
      assert.equal((await device.poll(begun)).body.error, 'access_denied');
    });

    test('[ACC-8] two questions at once get one key', async () => {
      const person = await newPerson(server.current);
      const device = here();
      const begun = await device.begin();
      await device.decide(begun, { ...person, decision: 'allow' });
      const answers = await Promise.all([1, 2, 3, 4].map(async () => await device.poll(begun)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
      const { access_token: key } = answers.find(({ status }) => status === 200)?.body ?? {};
      assert.equal((await keysOf(key)).length, 1);
    });

    test('[ACC-8] a banned person allows nothing, and a ban or a new password after it leaves no key', async () => {
      const person = await newPerson(server.current);
      const cookie = await cookieOf(server.current, person);
      const device = here();
      const [first, second] = [await device.begin(), await device.begin()];
      for (const begun of [first, second]) {
        assert.equal((await device.decide(begun, { decision: 'allow' }, { cookie })).status, 200);
      }
      await ban(person.id, 'ban');
      const { status, body } = await device.poll(first);
      assert.deepEqual([status, body.error], [403, 'auth.banned']);
      const third = await device.begin();
      assert.equal((await device.decide(third, { decision: 'allow' }, { cookie })).status, 401);
      const refused = await device.decide(third, { ...person, decision: 'allow' });
      assert.equal(refused.status, 403);
      assert.match(refused.body, /<p role="alert">This account is banned\./);
      assert.equal((await device.poll(third)).body.error, 'authorization_pending');
      await ban(person.id, 'unban');
      assert.equal((await device.poll(first)).status, 200);
      const reset = { password: 'another password' };
      assert.equal(
        (await admin(server.current).put(`/admin/users/${person.id}/password`, reset)).status,
        204,
      );
      assert.equal((await device.poll(second)).body.error, 'invalid_grant');
    });

    test('[ACC-9] the page shows who asks, from where and for what, and whether that is near', async () => {
      const person = await newPerson(server.current);
      const cookie = await cookieOf(server.current, person);
      const device = here();
      const begun = await device.begin({ device_name: 'ada’s box' });
      const near = await device.page(`/device?user_code=${begun.user_code}`, { cookie });
      for (const text of [
        begun.user_code,
        'Atelier command line',
        'ada’s box',
        person.email,
        'Generate pictures and videos',
      ]) {
        assert.ok(near.html.includes(text), text);
      }
      assert.ok(near.html.includes(`${device.address} (the address you are at)`));
      const far = await here(anAddress()).page(`/device?user_code=${begun.user_code}`);
      assert.ok(far.html.includes(`${device.address} (not the address you are at)`));
      assert.match(far.html, /<form method="post">[^]*name="password"/);
      const policy = far.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/);
      assert.equal(far.headers.get('cache-control'), 'no-store');
      assert.match((await device.page('/device')).html, /name="user_code"/);
      const wrong = await device.page('/device?user_code=%22%3E%3Cscript%3E');
      assert.equal(wrong.status, 404);
      assert.doesNotMatch(wrong.html, /<script/);
    });

    test('[ACC-9] only a page of this server may send the form', async () => {
      const person = await newPerson(server.current);
      const cookie = await cookieOf(server.current, person);
      const device = here();
      const begun = await device.begin();
      for (const origin of ['https://evil.example', 'null', '']) {
        for (const decision of ['allow', 'deny']) {
          const { status, body } = await device.decide(begun, { decision }, { cookie, origin });
          assert.equal(status, 403);
          assert.match(body, /<p role="alert">This form must be sent from its page/);
        }
      }
      assert.equal((await device.poll(begun)).body.error, 'authorization_pending');
      assert.equal((await device.decide(begun, { decision: 'allow' })).status, 401);
      const wrong = await device.decide(begun, {
        decision: 'allow',
        email: person.email,
        password: '<b>wrong',
      });
      assert.equal(wrong.status, 401);
      assert.match(wrong.body, /role="alert"[^]*name="password"/);
      assert.ok(wrong.body.includes(`value="${person.email}"`));
      assert.equal((await device.decide(begun, { decision: 'allow' }, { cookie })).status, 200);
    });

    test('[ACC-9] a device name is shown as text, and must be one line', async () => {
      const device = here();
      const hostile = '</dd><script>alert(1)</script>"\'&';
      const begun = await device.begin({ device_name: hostile });
      const { html } = await device.page(`/device?user_code=${begun.user_code}`);
      assert.doesNotMatch(html, /<script/);
      assert.match(html, /&#60;script&#62;alert\(1\)/);
      for (const name of ODD_NAMES) {
        const { status, body } = await device.ask({ device_name: `a${name}b` });
        assert.deepEqual([status, body.error], [400, 'invalid_request'], JSON.stringify(name));
      }
      const person = await newPerson(server.current);
      await device.decide(begun, { ...person, decision: 'allow' });
      const { body } = await device.poll(begun);
      assert.equal((await keysOf(body.access_token))[0]?.name, `Atelier command line on ${hostile}`);
      const long = await device.begin({ device_name: '🎨'.repeat(64) });
      await device.decide(long, { ...person, decision: 'allow' });
      assert.equal((await device.poll(long)).status, 200);
    });

    test('[ACC-10] wrong codes are limited for an address and for an account; too many devices for an address', async () => {
      const device = here();
      const begun = await device.begin();
      const path = `/device?user_code=${begun.user_code}`;
      const guesser = here();
      for (let n = 0; n < 30; n += 1)
        assert.equal((await guesser.page('/device?user_code=BBBB-CCCC')).status, 404);
      const limited = await guesser.page(path);
      assert.equal(limited.status, 429);
      assert.ok(Number(limited.headers.get('retry-after')) > 0);
      assert.equal((await guesser.decide(begun, { decision: 'deny' })).status, 429);
      const cookie = await cookieOf(server.current, await newPerson(server.current));
      for (let n = 0; n < 10; n += 1) {
        assert.equal((await here().page('/device?user_code=BBBB-CCCC', { cookie })).status, 404);
      }
      assert.equal((await here().page(path, { cookie })).status, 429);
      assert.equal((await device.page(path)).status, 200);
      for (let n = 0; n < 19; n += 1) await device.begin();
      const { status, body } = await device.ask();
      assert.deepEqual([status, body.error], [429, 'auth.too_many_sign_ins']);
      await here().begin();
    });

    test('[ACC-8] the page says that an account already has 100 keys', async () => {
      const person = await newPerson(server.current);
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      const device = here();
      const begun = await device.begin();
      for (let n = 0; n < 100; n += 1) await owner.post('/customers/api-keys', { name: `key ${n}` });
      const refused = await device.decide(begun, { ...person, decision: 'allow' });
      assert.equal(refused.status, 409);
      assert.match(refused.body, /at most 100 API keys/);
      const { body } = await owner.get<Keys>('/customers/api-keys');
      await owner.delete(`/customers/api-keys/${body.api_keys[0]?.id}`);
      assert.equal((await device.decide(begun, { ...person, decision: 'allow' })).status, 200);
    });

    test('[ACC-7] what was begun and allowed survives a restart of the server', async () => {
      const person = await newPerson(server.current);
      const [allowed, pending] = [await here().begin(), await here().begin()];
      await here().decide(allowed, { ...person, decision: 'allow' });
      await server.restart();
      assert.equal((await here().poll(allowed)).status, 200);
      assert.equal((await here().decide(pending, { ...person, decision: 'allow' })).status, 200);
      assert.equal((await here().poll(pending)).status, 200);
    });
  },
  { environment: PROXY },
);

let issuer: OutsideIssuer;
onAnyEngine(
  'signing in on a device with an outside issuer',
  (server) => {
    test('[ACC-11] people without a password decide with a token of their issuer', async () => {
      const device = signInAt(server.current.url);
      const claims = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.org` };
      const begun = await device.begin();
      const { html } = await device.page(`/device?user_code=${begun.user_code}`);
      assert.ok(html.includes(`token of ${new URL(issuer.issuer).host}`));
      assert.doesNotMatch(html, / required/);
      for (const token of ['nonsense', await issuer.token(claims, { header: { kid: 'other' } })]) {
        assert.equal((await device.decide(begun, { decision: 'allow', token })).status, 401);
      }
      const { api_key: secret } = server.current.admin;
      assert.equal(
        (await device.decide(begun, { decision: 'allow', token: secret })).status,
        401,
        'keys make no keys',
      );
      const token = await issuer.token(claims);
      assert.equal((await device.decide(begun, { decision: 'allow', token })).status, 200);
      const behind = { authorization: `Bearer ${token}` };
      const second = await device.begin();
      assert.ok(
        (await device.page(`/device?user_code=${second.user_code}`, behind)).html.includes(claims.email),
      );
      assert.equal(
        (await device.decide(second, { decision: 'allow' }, { ...behind, origin: 'null' })).status,
        403,
      );
      assert.equal((await device.decide(second, { decision: 'allow' }, behind)).status, 200);
      const key = { authorization: `Bearer ${secret}` };
      assert.equal((await device.decide(await device.begin(), { decision: 'allow' }, key)).status, 401);
      const { body } = await device.poll(begun);
      const me = await client(server.current.url, { apiKey: body.access_token ?? '' }).get('/customers/me');
      assert.equal(me.body['email'], claims.email);
      const { id } = me.body;
      await admin(server.current).post(`/admin/users/${String(id)}/ban`, { reason: 'x' });
      assert.equal((await device.decide(await device.begin(), { decision: 'allow', token })).status, 403);
    });

    test('[ACC-11] those with a password sign in as ever', async () => {
      const person = await newPerson(server.current);
      const device = signInAt(server.current.url);
      const begun = await device.begin();
      assert.equal((await device.decide(begun, { ...person, decision: 'allow' })).status, 200);
    });
  },
  {
    environment: async () => {
      issuer = await startIssuer();
      return { ...PROXY, ...issuer.settings };
    },
  },
);
after(async () => await issuer?.[Symbol.asyncDispose]());
