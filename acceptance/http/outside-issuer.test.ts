import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { type IssuerAnswer, type OutsideIssuer, startIssuer } from '../support/outside-issuer.ts';
import { admin, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine, type SharedServer } from '../support/servers.ts';

interface Me {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly subscription: { readonly tier: string };
  readonly credits: number;
}

const newcomer = () => ({ sub: randomUUID(), email: `${randomUUID()}@example.org`, name: 'Grace' });

const visitsTo = (server: SharedServer) => async (bearer: string) =>
  await client(server.current.url, { bearer }).get<Me>('/customers/me');

let issuer: OutsideIssuer;
onAnyEngine(
  'tokens of an outside issuer',
  (server) => {
    const visit = visitsTo(server);
    const isRefused = async (token: string, what: string) => {
      const { status, body } = await visit(token);
      assert.equal(status, 401, what);
      assertShape(body, 'error');
    };

    test('make an account at the first visit, and lead to it ever after', async () => {
      for (const algorithm of ['RS256', 'ES256'] as const) {
        const claims = newcomer();
        const first = await visit(await issuer.token(claims, { algorithm }));
        assert.equal(first.status, 200);
        assert.equal(first.body.email, claims.email);
        assert.equal(first.body.name, 'Grace');
        assert.equal(first.body.role, 'user');
        assert.equal(first.body.subscription.tier, 'free');
        assert.equal(first.body.credits, 0);
        const again = await visit(await issuer.token({ ...claims, email: 'moved@example.org' }));
        assert.equal(again.body.id, first.body.id, 'the subject counts, not the e-mail');
        const silent = await visit(await issuer.token({ sub: claims.sub }));
        assert.equal(silent.body.id, first.body.id, 'a known subject needs no e-mail');
      }
    });

    test('make accounts that work like any other', async () => {
      const owner = client(server.current.url, { bearer: await issuer.token(newcomer()) });
      const { body: me } = await owner.get<Me>('/customers/me');
      const { secret } = await newKey(owner);
      const byKey = await client(server.current.url, { apiKey: secret }).get<Me>('/customers/me');
      assert.equal(byKey.body.id, me.id);
      assert.equal((await owner.get('/admin/users')).status, 403);
      const granted = await admin(server.current).post(`/admin/users/${me.id}/credits`, { amount: 9 });
      assert.deepEqual(granted.body, { balance: 9 });
    });

    test('make one account when the first visits come all at once', async () => {
      for (const email_verified of [true, false]) {
        const token = await issuer.token({ ...newcomer(), email_verified });
        const answers = await Promise.all(Array.from({ length: 8 }, async () => await visit(token)));
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array<number>(8).fill(200),
          `email_verified ${email_verified}`,
        );
        assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
      }
    });

    test('open no door with a password', async () => {
      const claims = newcomer();
      await visit(await issuer.token(claims));
      for (const password of ['', 'null', 'undefined', 'nobody has this password']) {
        const answer = await client(server.current.url).post('/auth/token', {
          email: claims.email,
          password,
        });
        assert.equal(answer.status, 401, password);
      }
    });

    test('are refused when they are for somebody else, from somebody else, or too old', async () => {
      const claims = newcomer();
      const now = Math.floor(Date.now() / 1000);
      const wrong = {
        'another audience': { aud: 'somebody else' },
        'no audience': { aud: undefined },
        'another issuer': { iss: 'https://issuer.example' },
        'an issuer that looks alike': { iss: `${issuer.issuer}/` },
        'our own name as issuer': { iss: 'atelier', aud: 'atelier' },
        'no issuer': { iss: undefined },
        expired: { exp: now - 60 },
        'no end': { exp: undefined },
        'not valid yet': { nbf: now + 3600 },
        'no subject': { sub: undefined },
        'a subject that is not text': { sub: 7 },
      };
      for (const [what, changes] of Object.entries(wrong)) {
        await isRefused(await issuer.token({ ...claims, ...changes }), what);
      }
    });

    test('are refused when another key signed them', async () => {
      const claims = newcomer();
      const good = await issuer.token(claims);
      const { privateKey } = await generateKeyPair('RS256');
      const { privateKey: curve } = await generateKeyPair('ES256');
      const [head = '', payload = ''] = good.split('.');
      await isRefused(await issuer.token(claims, { key: privateKey }), 'under a known key id');
      await isRefused(
        await issuer.token(claims, { key: privateKey, header: { kid: 'unknown' } }),
        'under an unknown key id',
      );
      await isRefused(
        await issuer.token(claims, { header: { kid: 'outside-ES256' } }),
        'under the other key',
      );
      await isRefused(
        await issuer.token(claims, { algorithm: 'ES256', key: curve, header: { kid: 'outside-RS256' } }),
        'with another algorithm',
      );
      await isRefused(new UnsecuredJWT(decodeJwt(good)).encode(), 'without a signature');
      await isRefused(`${head}.${payload}.`, 'with the signature cut off');
      await isRefused(`${head}.${payload}.AAAA`, 'with a signature of no length');
      const published = await (await fetch(`${issuer.issuer}/keys`)).text();
      for (const secret of [published, JSON.stringify(JSON.parse(published).keys[0])]) {
        const forged = await new SignJWT(decodeJwt(good))
          .setProtectedHeader({ alg: 'HS256', kid: 'outside-RS256' })
          .sign(Buffer.from(secret));
        await isRefused(forged, 'with the public key as a secret');
      }
    });

    test('need an e-mail at the first visit: 401 without one', async () => {
      for (const email of [undefined, '', 'nobody', 7, ['a@example.org'], 'a b@example.org', null]) {
        await isRefused(await issuer.token({ sub: randomUUID(), email }), JSON.stringify(email) ?? 'none');
      }
    });

    test('with odd claims do not count as a failure of the server', async () => {
      for (const odd of [
        { ...newcomer(), sub: 'a\0b' },
        { ...newcomer(), email: `a\0${randomUUID()}@example.org` },
        { ...newcomer(), name: 'a\0b' },
        { ...newcomer(), name: { first: 'Grace' } },
        { ...newcomer(), name: '' },
        { ...newcomer(), name: 'x'.repeat(2000) },
        { ...newcomer(), sub: 'x'.repeat(2000) },
        { ...newcomer(), email: `${'x'.repeat(2000)}@example.org` },
        { ...newcomer(), sub: '\ud83c' },
      ]) {
        const { status } = await visit(await issuer.token(odd));
        assert.ok([200, 401, 403].includes(status), JSON.stringify(odd).slice(0, 80));
      }
    });

    test('do not reach a local account by an e-mail that the issuer does not vouch for', async () => {
      const { email, id, ...person } = await newPerson(server.current);
      for (const vouch of [
        {},
        { email_verified: false },
        { email_verified: 'true' },
        { email_verified: 1 },
      ]) {
        for (const spelt of [email, email.toUpperCase()]) {
          const { status, body } = await visit(
            await issuer.token({ sub: randomUUID(), email: spelt, ...vouch }),
          );
          assert.equal(status, 403, JSON.stringify(vouch));
          assertShape(body, 'error');
        }
      }
      const own = await visit(await tokenOf(server.current, { email, ...person }));
      assert.equal(own.body.id, id);
    });

    test('join the local account of an e-mail that the issuer vouches for', async () => {
      const { email, id } = await newPerson(server.current);
      const sub = randomUUID();
      const joined = await visit(
        await issuer.token({ sub, email: email.toUpperCase(), email_verified: true }),
      );
      assert.equal(joined.status, 200);
      assert.equal(joined.body.id, id);
      assert.equal((await visit(await issuer.token({ sub }))).body.id, id);
    });

    test('answer 403 when the account is banned, joined or not', async () => {
      const local = await newPerson(server.current);
      const token = await issuer.token({ sub: randomUUID(), email: local.email, email_verified: true });
      const known = await issuer.token(newcomer());
      const { id } = (await visit(known)).body;
      for (const banned of [local.id, id]) {
        const { status } = await admin(server.current).post(`/admin/users/${banned}/ban`, { reason: 'test' });
        assert.equal(status, 204);
      }
      assert.equal((await visit(known)).status, 403);
      assert.equal((await visit(token)).status, 403);
    });
  },
  {
    environment: async () => {
      issuer ??= await startIssuer();
      return issuer.settings;
    },
  },
);
after(async () => await issuer?.[Symbol.asyncDispose]());

const TROUBLES: Readonly<Record<string, IssuerAnswer>> = {
  'answers 500': { status: 500, body: 'sorry' },
  'answers a page': { status: 200, body: '<html>' },
  'answers something else': { status: 200, body: '[]' },
  'sends us elsewhere': { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } },
  'answers without end': { status: 200, body: ' '.repeat(3 * 1024 * 1024) },
  'publishes a broken key': {
    status: 200,
    body: '{"keys":[{"kty":"RSA","kid":"outside-RS256","alg":"RS256","n":"AQAB","e":"AQAB"}]}',
  },
};

let troubled: OutsideIssuer;
onAnyEngine(
  'an outside issuer in trouble',
  (server) => {
    const visit = visitsTo(server);
    const isNoFailureOfOurs = async () => {
      const claims = newcomer();
      const { privateKey } = await generateKeyPair('RS256');
      const own = await tokenOf(server.current, await newPerson(server.current));
      assert.equal((await visit(own)).status, 200, 'our own tokens stay good');
      for (const token of [await troubled.token(claims), await troubled.token(claims, { key: privateKey })]) {
        const { status } = await visit(token);
        assert.ok(status === 401 || status === 503, String(status));
      }
    };

    test('that is not there is no failure of ours', async () => {
      await troubled.close();
      try {
        await isNoFailureOfOurs();
      } finally {
        await troubled.open();
      }
    });

    for (const [trouble, answer] of Object.entries(TROUBLES)) {
      test(`that ${trouble} is not a failure of ours`, async () => {
        troubled.answerWith(answer);
        try {
          await isNoFailureOfOurs();
        } finally {
          // Keys that were read, good or bad, are kept for a while.
          if (answer.body.includes('keys')) await server.restart();
        }
      });
    }

    test('is believed again when it is back', async () => {
      troubled.answerWith(undefined);
      assert.equal((await visit(await troubled.token(newcomer()))).status, 200);
    });
  },
  {
    environment: async () => {
      troubled ??= await startIssuer();
      return troubled.settings;
    },
  },
);
after(async () => await troubled?.[Symbol.asyncDispose]());
