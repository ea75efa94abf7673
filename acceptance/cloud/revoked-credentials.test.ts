import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';

import { newSubmitter, setTier } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newKey, newPerson, tokenOf } from '../support/people.ts';
import { connectWorker, helloOf, newWorkerToken, type ScriptedWorker } from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { type Message, socketUrl } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

onAnyEngine(
  'what is open when its credential ends',
  (server) => {
    let worker: ScriptedWorker;
    // It says what it could run and takes nothing, so that jobs wait.
    before(async () => {
      const { token } = await newWorkerToken(server.current);
      worker = await connectWorker(server.current, token, { hello: helloOf({ ready: 0 }) });
    });
    after(() => worker[Symbol.dispose]());

    const newUser = async () => {
      const person = await newPerson(server.current);
      await setTier(server.current, person.id, 'pro');
      const token = await tokenOf(server.current, person);
      return { person, token, owner: client(server.current.url, { bearer: token }) };
    };

    /** A socket, a stream of a job that waits, and a request that waits for another. */
    const open = async (headers: Record<string, string>) => {
      const { url } = server.current;
      const leaving = new AbortController();
      const { signal } = leaving;
      const socket = new WebSocket(socketUrl(url, { clientId: 'watcher' }), { headers });
      let code: number | undefined;
      socket.on('close', (given) => {
        code = given;
      });
      let jobs = 0;
      socket.on('message', (data: Buffer) => {
        const { type, data: told } = JSON.parse(data.toString()) as Message;
        if (type === 'status') jobs = Number(told['queue_remaining']);
      });
      await once(socket, 'message');
      const jobsBefore = jobs;
      const post = async (path: string) =>
        await fetch(url + path, {
          method: 'POST',
          signal,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: textWorkflow() }),
        });
      const { prompt_id } = (await (await post('/api/prompt')).json()) as { prompt_id: string };
      const stream = await fetch(`${url}/api/jobs/${prompt_id}/events`, { headers, signal });
      assert.equal(stream.status, 200);
      let streamEnded = false;
      void stream.text().then(
        () => (streamEnded = true),
        () => (streamEnded = true),
      );
      let waited: { readonly status: number; readonly body: object } | undefined;
      const wait = async () => {
        const answer = await post('/api/prompt?wait=300');
        waited = { status: answer.status, body: (await answer.json()) as object };
      };
      void wait().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      await until('both jobs', () => jobs === jobsBefore + 2);
      return {
        isOpen: () => code === undefined && !streamEnded && waited === undefined,
        closed: async () => await until('the close of the socket', () => code),
        ended: async () => await until('the end of the stream', () => streamEnded),
        answered: async () => await until('the answer', () => waited),
        [Symbol.dispose]() {
          socket.terminate();
          leaving.abort();
        },
      };
    };

    const assertEnded = async (opened: Awaited<ReturnType<typeof open>>) => {
      assert.equal(await opened.closed(), 4001);
      await opened.ended();
      const { status, body } = await opened.answered();
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['prompt_id', 'number', 'node_errors']);
    };

    test('[JOB-44] a revoked key ends its socket, stream and wait, and those of another key go on', async () => {
      const { owner } = await newUser();
      const [revoked, kept] = [await newKey(owner), await newKey(owner)];
      using ends = await open({ 'x-api-key': revoked.secret });
      using stays = await open({ 'x-api-key': kept.secret });
      assert.equal((await owner.delete(`/customers/api-keys/${revoked.id}`)).status, 204);
      await assertEnded(ends);
      assert.ok(stays.isOpen());
    });

    test('[JOB-44] a changed password ends what was opened with a token, and keys go on', async () => {
      const { person, token, owner } = await newUser();
      const { secret } = await newKey(owner);
      using ends = await open({ authorization: `Bearer ${token}` });
      using stays = await open({ 'x-api-key': secret });
      const { status } = await owner.put('/customers/me/password', {
        current_password: person.password,
        new_password: 'a better password',
      });
      assert.equal(status, 204);
      await assertEnded(ends);
      assert.ok(stays.isOpen());
    });

    test('[JOB-44] the end of a session ends what was opened with its cookie', async () => {
      const { person } = await newUser();
      const { url } = server.current;
      const cookie = await cookieOf(server.current, person);
      using ends = await open({ cookie, origin: url });
      assert.equal((await client(url, { cookie, origin: url }).delete('/auth/session')).status, 204);
      await assertEnded(ends);
    });

    test('[JOB-44] a ban ends everything that the account has open', async () => {
      const { id, key } = await newSubmitter(server.current);
      using ends = await open({ 'x-api-key': key });
      assert.equal(
        (await admin(server.current).post(`/admin/users/${id}/ban`, { reason: 'test' })).status,
        204,
      );
      assert.equal(await ends.closed(), 1008);
      await ends.ended();
      // The ban also cancels the job, and the wait may hear of that first.
      const { status, body } = await ends.answered();
      if (status === 403) assertShape(body, 'prompt');
      else assert.partialDeepStrictEqual(body, { status: 'cancelled', outputs: {} });
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
