import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

onAnyEngine('bearer tokens', (server) => {
  const jwks = async () => {
    const { status, body } = await client(server.current.url).get<JSONWebKeySet>('/.well-known/jwks.json');
    assert.equal(status, 200);
    return body;
  };
  const statusWith = async (token: string) =>
    (await client(server.current.url, { bearer: token }).get('/customers/me')).status;

  test('the right password gives a bearer token', async () => {
    const person = await newPerson(server.current);
    const { status, body } = await client(server.current.url).post('/auth/token', {
      email: person.email,
      password: person.password,
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), ['access_token', 'expires_in', 'token_type']);
    assert.equal(body['token_type'], 'Bearer');
    assert.equal(body['expires_in'], 3600);
  });

  test('an e-mail is recognized whatever its case', async () => {
    const { email, password } = await newPerson(server.current);
    assert.ok(await tokenOf(server.current, { email: email.toUpperCase(), password }));
  });

  test('a wrong password and an unknown e-mail answer the same 401', async () => {
    const { email } = await newPerson(server.current);
    const anyone = client(server.current.url);
    const wrong = await anyone.post('/auth/token', { email, password: 'wrong password' });
    const unknown = await anyone.post('/auth/token', {
      email: 'nobody@example.org',
      password: 'wrong password',
    });
    assert.equal(wrong.status, 401);
    assertShape(wrong.body, 'error');
    assert.equal(unknown.status, 401);
    assert.deepEqual(unknown.body, wrong.body);
  });

  test('the published keys are public and asymmetric', async () => {
    const { keys } = await jwks();
    assert.ok(keys.length > 0);
    for (const key of keys) {
      assert.ok(['OKP', 'EC'].includes(key.kty ?? ''));
      assert.ok(['EdDSA', 'ES256'].includes(key.alg ?? ''));
      assert.equal(key.use, 'sig');
      assert.ok(key.kid);
      assert.equal('d' in key, false, 'a private key is published');
    }
  });

  test('a token verifies against the published keys and names its owner', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(await jwks()));
    assert.ok(['EdDSA', 'ES256'].includes(protectedHeader.alg));
    assert.equal(payload.sub, person.id);
    assert.equal((payload.exp ?? 0) - Math.floor(payload.iat ?? 0), 3600);
    const me = await client(server.current.url, { bearer: token }).get('/customers/me');
    assert.equal(me.status, 200);
    assert.equal(me.body['id'], person.id);
    assert.equal(me.body['email'], person.email);
  });

  test('no credential, or a header that carries none, answers 401', async () => {
    const anyone = client(server.current.url);
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic YWRtaW46YWRtaW4=' },
      { authorization: 'Bearer a b' },
      { authorization: 'Bearer undefined' },
      { authorization: `Bearer ${'.'.repeat(1000)}` },
      { 'x-api-key': '' },
      { 'x-api-key': 'x' },
      { 'x-api-key': 'atelier_' },
    ]) {
      const { status, body, headers: answered } = await anyone.get('/customers/me', headers);
      assert.equal(status, 401, JSON.stringify(headers));
      assertShape(body, 'error');
      assert.match(answered.get('www-authenticate') ?? '', /^Bearer/);
    }
  });

  test('a token that was tampered with answers 401', async () => {
    const person = await newPerson(server.current);
    const other = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const [head = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const someoneElse = encode({ ...decodeJwt(token), sub: other.id });
    const longer = encode({ ...decodeJwt(token), exp: Math.floor(Date.now() / 1000) + 1_000_000 });
    const header = decodeProtectedHeader(token);
    const forgeries = {
      'cut in the signature': token.slice(0, -4),
      'cut to half': token.slice(0, token.length / 2),
      'no signature': `${head}.${payload}.`,
      'two parts': `${head}.${payload}`,
      'a flipped signature': `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'another subject': `${head}.${someoneElse}.${signature}`,
      'a longer life': `${head}.${longer}.${signature}`,
      'no algorithm': `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
      'no key id': `${encode({ alg: header.alg })}.${payload}.${signature}`,
      'an odd key id': `${encode({ ...header, kid: { a: 1 } })}.${payload}.${signature}`,
      'a critical header': `${encode({ ...header, crit: ['x'], x: 1 })}.${payload}.${signature}`,
      'no JSON': `${head}.${Buffer.from('hello').toString('base64url')}.${signature}`,
      'no base64': `${head}.@@@@.${signature}`,
      'a signature put twice': `${token}.${signature}`,
    };
    for (const [what, forged] of Object.entries(forgeries)) {
      assert.equal(await statusWith(forged), 401, what);
    }
    assert.equal(await statusWith(token), 200, 'the token itself is good');
  });

  test('a token that another key signed answers 401, whatever it claims', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const claims = decodeJwt(token);
    const { kid = '', alg = '' } = decodeProtectedHeader(token);
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const sign = async (changes: JWTPayload, header: object = {}) =>
      await new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(privateKey);
    const now = Math.floor(Date.now() / 1000);
    const forgeries = {
      'under our key id': await sign({}),
      'under its own key id': await sign({}, { kid: 'foreign' }),
      'with its key in the header': await sign({}, { jwk: await exportJWK(publicKey) }),
      expired: await sign({ exp: now - 60 }),
      'with a wrong audience': await sign({ aud: 'somebody else' }),
      'with a wrong issuer': await sign({ iss: 'https://issuer.example' }),
      'not valid yet': await sign({ nbf: now + 3600 }),
    };
    for (const [what, forged] of Object.entries(forgeries)) {
      assert.equal(await statusWith(forged), 401, what);
    }
  });

  test('a token without a signature, or signed with the public key as a secret, answers 401', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const claims = decodeJwt(token);
    const { kid = '' } = decodeProtectedHeader(token);
    assert.equal(await statusWith(new UnsecuredJWT(claims).encode()), 401);
    const published = (await jwks()).keys.find((key) => key.kid === kid);
    assert.ok(published);
    for (const secret of [
      Buffer.from(published.x ?? '', 'base64url'),
      Buffer.from(published.x ?? ''),
      Buffer.from(JSON.stringify(published)),
    ]) {
      const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
      assert.equal(await statusWith(forged), 401);
    }
  });

  test('after a rotation new tokens have a new key and old ones stay good', async () => {
    const person = await newPerson(server.current);
    const before = await tokenOf(server.current, person);
    assert.equal((await admin(server.current).post('/admin/signing-keys/rotate')).status, 204);
    const after = await tokenOf(server.current, person);
    const kids = new Set((await jwks()).keys.map((key) => key.kid));
    assert.notEqual(decodeProtectedHeader(after).kid, decodeProtectedHeader(before).kid);
    for (const token of [before, after]) {
      assert.ok(kids.has(decodeProtectedHeader(token).kid));
      assert.equal(await statusWith(token), 200);
    }
  });

  test('only administrators rotate keys', async () => {
    const token = await tokenOf(server.current, await newPerson(server.current));
    assert.equal((await client(server.current.url).post('/admin/signing-keys/rotate')).status, 401);
    const { status } = await client(server.current.url, { bearer: token }).post('/admin/signing-keys/rotate');
    assert.equal(status, 403);
  });

  test('a new password ends tokens and sessions but not API keys', async () => {
    const { email, password } = await newPerson(server.current);
    const token = await tokenOf(server.current, { email, password });
    const cookie = await cookieOf(server.current, { email, password });
    const owner = client(server.current.url, { bearer: token });
    const { secret } = await newKey(owner);
    const changed = { current_password: password, new_password: 'a better password' };

    assert.equal(
      (await owner.put('/customers/me/password', { ...changed, current_password: 'wrong password' })).status,
      401,
    );
    assert.equal(await statusWith(token), 200, 'a wrong present password changes nothing');
    assert.equal(
      (await owner.put('/customers/me/password', { ...changed, new_password: 'short' })).status,
      400,
    );
    assert.equal((await owner.put('/customers/me/password', changed)).status, 204);

    assert.equal(await statusWith(token), 401);
    assert.equal((await client(server.current.url, { cookie }).get('/customers/me')).status, 401);
    assert.equal((await client(server.current.url, { apiKey: secret }).get('/customers/me')).status, 200);
    const old = await client(server.current.url).post('/auth/token', { email, password });
    assert.equal(old.status, 401);
    assert.equal(
      await statusWith(await tokenOf(server.current, { email, password: 'a better password' })),
      200,
    );
  });

  test('a password that an administrator sets ends tokens and sessions', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const cookie = await cookieOf(server.current, person);
    const { status } = await admin(server.current).put(`/admin/users/${person.id}/password`, {
      password: 'set by an administrator',
    });
    assert.equal(status, 204);
    assert.equal(await statusWith(token), 401);
    assert.equal((await client(server.current.url, { cookie }).get('/customers/me')).status, 401);
    const fresh = await tokenOf(server.current, { ...person, password: 'set by an administrator' });
    assert.equal(await statusWith(fresh), 200);
  });

  test('tokens, keys and sessions survive a restart', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    const cookie = await cookieOf(server.current, person);
    const { secret } = await newKey(client(server.current.url, { bearer: token }));
    await server.restart({ ATELIER_TOKEN_MINUTES: '2' });
    assert.equal(await statusWith(token), 200);
    assert.equal((await client(server.current.url, { cookie }).get('/customers/me')).status, 200);
    assert.equal((await client(server.current.url, { apiKey: secret }).get('/customers/me')).status, 200);
    const { kid } = decodeProtectedHeader(token);
    assert.ok((await jwks()).keys.some((key) => key.kid === kid));
  });

  test('the life of a token is what the settings say', async () => {
    const { email, password } = server.current.admin;
    const { body } = await client(server.current.url).post('/auth/token', { email, password });
    assert.equal(body['expires_in'], 120);
    const { exp = 0, iat = 0 } = decodeJwt(String(body['access_token']));
    assert.equal(exp - Math.floor(iat), 120);
  });
});
