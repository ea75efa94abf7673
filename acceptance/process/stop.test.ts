import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { beginRequest, openConnection } from '../support/begun-request.ts';
import { client } from '../support/http-client.ts';
import { admin, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

const DEADLINE = { timeout: 2 * PATIENCE_MS };

onAnyEngine(
  'stopping',
  (server) => {
    test(
      'by kill -9 loses nothing that was answered, and the next start works at once',
      DEADLINE,
      async () => {
        const person = await newPerson(server.current);
        const token = await tokenOf(server.current, person);
        const { secret } = await newKey(client(server.current.url, { bearer: token }));
        const made: string[] = [];
        const writes = Array.from({ length: 40 }, async () => {
          const email = `${randomUUID()}@example.org`;
          const { status } = await admin(server.current).post('/admin/users', {
            email,
            password: 'long enough',
          });
          if (status === 201) made.push(email);
          if (made.length === 5) server.current.process.kill('SIGKILL');
        });
        await Promise.allSettled(writes);
        assert.ok(made.length >= 5 && made.length < 40, `${made.length} were made`);

        await server.restart();
        assert.equal((await client(server.current.url, { bearer: token }).get('/customers/me')).status, 200);
        assert.equal((await client(server.current.url, { apiKey: secret }).get('/customers/me')).status, 200);
        const { body } = await admin(server.current).get<{ users: { email: string }[] }>(
          '/admin/users?limit=100',
        );
        const known = new Set(body.users.map(({ email }) => email));
        for (const email of made) assert.ok(known.has(email), email);
      },
    );

    test(
      'finishes the request in flight, takes no new ones, waits for nobody else, and exits 0',
      DEADLINE,
      async () => {
        const { email, password } = server.current.admin;
        const body = JSON.stringify({ email, password });
        const silent = await openConnection(server.current);
        const idle = await openConnection(server.current);
        idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await once(idle, 'data');
        const request = await beginRequest(server.current, 'POST /auth/token', {
          bodyBytes: body.length,
        });

        const exited = once(server.current.process, 'exit');
        server.current.process.kill('SIGTERM');
        await until('the stop to begin', () => server.current.output().includes('"stopping"'));
        await assert.rejects(fetch(`${server.current.url}/health`), 'a new connection is refused');
        request.socket.write(body);
        await until('the answer', () => request.received().includes('access_token'));
        assert.match(request.received(), /HTTP\/1\.1 200 /);
        assert.deepEqual(await exited, [0, null], server.current.output());
        for (const socket of [silent, idle, request.socket]) socket.destroy();
      },
    );

    test('still gives out links to itself in the answers that it finishes', DEADLINE, async () => {
      await server.restart();
      const body = JSON.stringify({ file_name: 'cat.bin' });
      const request = await beginRequest(server.current, 'POST /customers/storage', {
        bodyBytes: body.length,
        headers: { 'x-api-key': server.current.admin.api_key },
      });
      const exited = once(server.current.process, 'exit');
      server.current.process.kill('SIGTERM');
      await until('the stop to begin', () => server.current.output().includes('"stopping"'));
      await assert.rejects(fetch(`${server.current.url}/health`));
      request.socket.write(body);
      await until('the answer', () => request.received().includes('\r\n\r\n{'));
      assert.ok(request.received().includes(`"upload_url":"${server.current.url}/`), request.received());
      assert.deepEqual(await exited, [0, null], server.current.output());
    });

    test('does not wait for a client that hangs beyond the deadline', DEADLINE, async () => {
      await server.restart({ ATELIER_STOP_SECONDS: '1' });
      const half = await beginRequest(server.current, 'POST /auth/token', { bodyBytes: 1000 });
      const headless = await openConnection(server.current);
      headless.write('GET /health HTTP/1.1\r\nHost: local');
      assert.equal(await server.current.stop('SIGINT'), 0);
      half.socket.destroy();
      headless.destroy();
    });

    test('does not wait for a reader of its log that has stopped reading', DEADLINE, async () => {
      await server.restart({ ATELIER_STOP_SECONDS: '1' });
      server.current.process.stdout?.pause();
      // Each is a line of some 150 bytes: together far more than a pipe holds.
      const requests = 5000;
      const socket = await openConnection(server.current);
      let answered = 0;
      socket
        .setEncoding('latin1')
        .on('data', (chunk: string) => (answered += chunk.split('"error":').length - 1));
      socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
      await until('most answers', () => answered > requests * 0.9);
      socket.destroy();
      await server.current.stop();
      assert.equal(server.current.process.signalCode, 'SIGKILL', 'by its own hand, with lines still unread');
    });
  },
  // Far beyond the deadline of a test, so that a server that waits without need fails the test.
  { environment: { ATELIER_STOP_SECONDS: '3600' } },
);
