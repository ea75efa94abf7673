import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { SignJWT } from 'jose';

import { Secret } from '../../platform/secret.ts';
import { createOperatorTokens } from './operator-tokens.ts';

const invalid = { code: 'auth.invalid' };

function installation() {
  const time = { now: Date.UTC(2026, 0, 1) };
  const key = new Secret<Uint8Array>(randomBytes(32));
  return { time, key, ...createOperatorTokens({ key, clock: () => time.now }) };
}

describe('[ADM-11] tokens of operators', () => {
  it('make an administrator who is not a user', async () => {
    const { issue, verify } = installation();
    const { userId, role, isOperator } = await verify(await issue('ada'));
    assert.deepEqual(
      { userId, role, isOperator },
      { userId: 'operator:ada', role: 'admin', isOperator: true },
    );
  });

  it('are valid for a minute', async () => {
    const { issue, verify, time } = installation();
    const token = await issue('ada');
    time.now += 59_000;
    await verify(token);
    time.now += 1000;
    await assert.rejects(verify(token), invalid);
  });

  it('are valid at one installation only', async () => {
    const [one, other] = [installation(), installation()];
    await assert.rejects(other.verify(await one.issue('ada')), invalid);
  });

  it('are refused when forged or incomplete', async () => {
    const { key, verify, issue } = installation();
    const forge = async (change: (jwt: SignJWT) => SignJWT, alg = 'HS256') =>
      `operator_${await change(new SignJWT().setProtectedHeader({ alg })).sign(key.reveal())}`;
    const complete = (jwt: SignJWT) =>
      jwt
        .setSubject('ada')
        .setAudience('atelier-operators')
        .setExpirationTime(Date.UTC(2026, 0, 1) / 1000 + 9);
    await verify(await forge(complete));
    await assert.rejects(verify(await forge((jwt) => complete(jwt).setAudience('atelier'))), invalid);
    await assert.rejects(verify(await forge(complete, 'HS512')), invalid);
    const endless = (jwt: SignJWT) => jwt.setSubject('ada').setAudience('atelier-operators');
    await assert.rejects(verify(await forge(endless)), invalid);
    const token = await issue('ada');
    await assert.rejects(verify(`${token.slice(0, -2)}AA`), invalid);
    const unsigned = `operator_${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    await assert.rejects(verify(unsigned), invalid);
    await assert.rejects(verify('operator_'), invalid);
  });
});
