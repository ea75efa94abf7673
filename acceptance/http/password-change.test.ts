import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Client, client } from '../support/http-client.ts';
import { admin, newPerson } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

/** Fewer than the failures that an account may have: all of them may come after the change. */
const SIGN_INS = 9;

onEachEngine('a new password', (server) => {
  test('ends every token and session made with the old one, also those made at the same moment', async () => {
    const { url } = server.current;
    const { id, email, password } = await newPerson(server.current);
    const anyone = client(url);
    const attempts = Array.from({ length: SIGN_INS }, async (_, n): Promise<Client | undefined> => {
      if (n % 2 === 0) {
        const { status, headers } = await anyone.post('/auth/session', { email, password });
        const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
        return status === 204 ? client(url, { cookie }) : undefined;
      }
      const { status, body } = await anyone.post<{ access_token: string }>('/auth/token', {
        email,
        password,
      });
      return status === 200 ? client(url, { bearer: body.access_token }) : undefined;
    });
    const change = admin(server.current).put(`/admin/users/${id}/password`, {
      password: 'quite another one',
    });
    const made = (await Promise.all(attempts)).filter((one) => one !== undefined);
    assert.equal((await change).status, 204);
    for (const one of made) assert.equal((await one.get('/customers/me')).status, 401);

    const again = await anyone.post<{ access_token: string }>('/auth/token', {
      email,
      password: 'quite another one',
    });
    const fresh = client(url, { bearer: again.body.access_token });
    assert.equal((await fresh.get('/customers/me')).status, 200);
  });
});
