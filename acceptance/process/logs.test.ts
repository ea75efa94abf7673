import assert from 'node:assert/strict';
import { test } from 'node:test';

import { client } from '../support/http-client.ts';
import { admin, cookieOf, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

onAnyEngine(
  'logs',
  (server) => {
    test('are JSON lines with request ids and without any secret of the run', async () => {
      const { url } = server.current;
      const person = await newPerson(server.current);
      const token = await tokenOf(server.current, person);
      const cookie = await cookieOf(server.current, person);
      const { id, secret } = await newKey(client(url, { bearer: token }));
      const secrets: Record<string, string> = {
        password: person.password,
        'wrong password': 'a guess that failed',
        'new password': 'a password that is new',
        'reset password': 'a password that was reset',
        token,
        'signature of the token': token.split('.')[2] ?? token,
        'API key': secret,
        cookie: cookie.split('=')[1] ?? cookie,
        "administrator's password": server.current.admin.password,
        "administrator's API key": server.current.admin.api_key,
        'password of the database': 'postgres:postgres@',
        'secret in a body that is not JSON': 'secret-in-a-broken-body',
        'secret in a query': 'secret-in-a-query',
        'secret in an unknown route': 'secret-in-a-path',
      };

      await client(url).post('/auth/token', { email: person.email, password: secrets['wrong password'] });
      await client(url, { cookie }).get('/customers/me');
      await client(url, { cookie }).post('/customers/api-keys', { name: 'refused for its origin' });
      await client(url, { apiKey: secret }).get('/customers/me');
      await client(url, { apiKey: `${secret}x` }).get('/customers/me');
      await client(url).get(`/api/jobs/x/events?token=${secret}`);
      await client(url, { bearer: secret }).delete(`/customers/api-keys/${id}`);
      await client(url, { bearer: `${token}x` }).get('/customers/me');
      await client(url).get(`/customers/me?token=${secrets['secret in a query']}`);
      await client(url).get(`/api/jobs/x/events?token=${secrets['secret in a query']}`);
      await client(url).get(`/nowhere/${secrets['secret in an unknown route']}`);
      await client(url).request('POST', '/auth/token', {
        headers: { 'content-type': 'application/json' },
        body: `{"password":"${secrets['secret in a body that is not JSON']}"`,
      });
      await client(url, { bearer: token }).put('/customers/me/password', {
        current_password: person.password,
        new_password: secrets['new password'],
      });
      await admin(server.current).put(`/admin/users/${person.id}/password`, {
        password: secrets['reset password'],
      });
      const refused = await client(url).post('/auth/session', { email: 5 });
      const named = await client(url).request('GET', '/nowhere', {
        headers: { 'x-request-id': 'named-by-the-caller' },
      });
      assert.equal(await server.current.stop(), 0);
      const output = await until('the last line', () =>
        server.current.output().includes('"stopped"') ? server.current.output() : undefined,
      );

      for (const [what, value] of Object.entries(secrets)) {
        assert.equal(output.includes(value), false, `the log has the ${what}`);
      }
      const lines = output.trimEnd().split('\n');
      const spoken = lines.filter((line) => !line.startsWith('{'));
      for (const line of spoken) assert.match(line, /^(Atelier listens on|The administrator's) /);
      const entries = lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      for (const entry of entries) {
        assert.match(String(entry['level']), /^(trace|debug|info|warn|error|fatal)$/);
        assert.equal(new Date(String(entry['time'])).toISOString(), entry['time']);
        assert.equal(typeof entry['msg'], 'string');
      }
      for (const { headers, status } of [refused, named]) {
        const entry = entries.find((candidate) => candidate['requestId'] === headers.get('x-request-id'));
        assert.equal(entry?.['status'], status);
      }
      assert.ok(
        entries.some((entry) => entry['name'] === 'ATELIER_PROT'),
        'a slip of the pen is pointed out',
      );
    });
  },
  { environment: { ATELIER_LOG_LEVEL: 'trace', ATELIER_PROT: '8080' } },
);
