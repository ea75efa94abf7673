import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket } from 'ws';

import { setTier } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { newAdministrator, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { socketUrl } from '../support/sockets.ts';
import { textWorkflow } from '../support/workflows.ts';

interface Created {
  readonly api_key: { readonly id: string; readonly scopes?: string[]; readonly plaintext_key: string };
}

const PACK = join(import.meta.dirname, '..', 'support', 'partner-pack');
const PARTNER = { '1': { class_type: 'TestPartner', inputs: {} } };

/** One of each kind of route that a scope opens. */
const ROUTES = {
  workflows: [
    '/api/queue',
    '/queue',
    '/api/jobs',
    '/api/assets',
    '/object_info',
    '/v2/userdata',
    '/api/settings',
  ],
  generation: ['/proxy/tasks', '/proxy/prices'],
  registry: ['/users', '/publishers'],
  account: ['/customers/credits', '/customers/api-keys', '/webhooks/deliveries', '/api/billing/status'],
  admin: ['/admin/users', '/admin/jobs', '/admin/workers', '/admin/audit', '/admin/nodeversions'],
} as const;
const SCOPES = Object.keys(ROUTES) as (keyof typeof ROUTES)[];

onAnyEngine(
  'scopes of API keys',
  (server) => {
    const newOwner = async (make = newPerson) => {
      const person = await make(server.current);
      await setTier(server.current, person.id, 'pro');
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      return { person, owner };
    };
    const keyWith = async (owner: Client, scopes: readonly string[]) => {
      const { status, body } = await owner.post<Created>('/customers/api-keys', { name: 'limited', scopes });
      assert.equal(status, 201, JSON.stringify(body));
      return { secret: body.api_key.plaintext_key, id: body.api_key.id };
    };
    const codeOf = (body: Readonly<Record<string, unknown>>) =>
      body['code'] ?? (body['error'] as { type?: string }).type ?? body['error'];

    test('[ACC-1] a key has the scopes that it was made with, and one without has none', async () => {
      const { owner } = await newOwner();
      const made = await owner.post<Created>('/customers/api-keys', {
        name: 'x',
        scopes: ['registry', 'account'],
      });
      assert.deepEqual(made.body.api_key.scopes, ['registry', 'account']);
      assert.equal(
        'scopes' in (await owner.post<Created>('/customers/api-keys', { name: 'y' })).body.api_key,
        false,
      );
      const { body } = await owner.get<{ api_keys: { name: string; scopes?: string[] }[] }>(
        '/customers/api-keys',
      );
      assert.deepEqual(body.api_keys.map(({ name, scopes }) => [name, scopes]).toSorted(), [
        ['x', ['registry', 'account']],
        ['y', undefined],
      ]);
      for (const scopes of [
        [],
        ['everything'],
        ['account', 'account'],
        'account',
        null,
        [null],
        ['Account'],
      ]) {
        const { status, body: refusal } = await owner.post('/customers/api-keys', { name: 'x', scopes });
        assert.equal(status, 400, JSON.stringify(scopes));
        assertShape(refusal, 'error');
      }
    });

    test('[ACC-2] each scope opens its routes and no others, for every owner of a key', async () => {
      const { owner } = await newOwner(newAdministrator);
      for (const scope of SCOPES) {
        const { secret } = await keyWith(owner, [scope]);
        for (const credential of [{ apiKey: secret }, { bearer: secret }]) {
          const api = client(server.current.url, credential);
          assert.equal((await api.get('/customers/me')).status, 200);
          for (const other of SCOPES) {
            for (const path of ROUTES[other]) {
              const { status, body } = await api.get(path);
              if (other === scope) assert.equal(status, 200, `${scope}: ${path}`);
              else {
                assert.deepEqual([status, codeOf(body)], [403, 'auth.scope'], `${scope}: ${path}`);
                assert.match(JSON.stringify(body), new RegExp(`scope \\\\"${other}\\\\"`));
              }
            }
          }
        }
      }
    });

    test('[ACC-2] a socket, its token in the query, a stream and Basic know scopes too', async () => {
      const { owner } = await newOwner();
      const { secret: right } = await keyWith(owner, ['workflows']);
      const { secret: wrong } = await keyWith(owner, ['generation', 'registry', 'account', 'admin']);
      const { url } = server.current;
      const { body } = await client(url, { apiKey: right }).post<{ prompt_id: string }>(
        '/api/prompt?wait=60',
        {
          prompt: textWorkflow(),
        },
      );
      const stream = `${url}/api/jobs/${body.prompt_id}/events`;
      for (const [secret, isRight] of [
        [right, true],
        [wrong, false],
      ] as const) {
        for (const [address, headers] of [
          [socketUrl(url, { token: secret }), {}],
          [socketUrl(url, {}), { 'x-api-key': secret }],
          [socketUrl(url, {}).replace('/ws?', '/api/ws?'), { authorization: `Bearer ${secret}` }],
          [socketUrl(url, {}), { authorization: `Basic ${Buffer.from(`:${secret}`).toString('base64')}` }],
        ] as const) {
          const socket = new WebSocket(address, { headers });
          if (isRight) await once(socket, 'message');
          else assert.match(((await once(socket, 'error')) as [Error])[0].message, /403/);
          socket.terminate();
        }
        for (const [address, headers] of [
          [`${stream}?token=${secret}`, {}],
          [stream, { 'x-api-key': secret }],
        ] as const) {
          const answer = await fetch(address, { headers });
          assert.equal(answer.status, isRight ? 200 : 403);
          await answer.body?.cancel();
        }
      }
    });

    test('[ACC-3] partner nodes need a key that may generate: the one of the request, or the one in extra_data', async () => {
      const { owner } = await newOwner();
      const [runs, generates] = [
        await keyWith(owner, ['workflows']),
        await keyWith(owner, ['workflows', 'generation']),
      ];
      const submit = async (key: string, given?: string) =>
        await client(server.current.url, { apiKey: key }).post<{ status: string; error: { type: string } }>(
          '/api/prompt?wait=60',
          { prompt: PARTNER, ...(given !== undefined && { extra_data: { api_key_comfy_org: given } }) },
        );
      for (const [key, given] of [
        [runs.secret],
        [runs.secret, runs.secret],
        [generates.secret, runs.secret],
      ] as const) {
        const { status, body } = await submit(key, given);
        assert.deepEqual([status, body.error.type], [403, 'auth.scope']);
        assertShape(body, 'prompt');
      }
      assert.deepEqual((await owner.get<{ jobs: unknown[] }>('/api/jobs')).body.jobs, []);
      for (const [key, given] of [[generates.secret], [runs.secret, generates.secret]] as const) {
        assert.equal((await submit(key, given)).body.status, 'completed');
      }
    });

    test('[ACC-4] a key with scopes makes none with more, and changes no password and no role', async () => {
      const { owner, person } = await newOwner(newAdministrator);
      const { secret } = await keyWith(owner, ['account', 'admin', 'registry']);
      const api = client(server.current.url, { apiKey: secret });
      for (const scopes of [['workflows'], ['account', 'generation']]) {
        const { status, body } = await api.post('/customers/api-keys', { name: 'more', scopes });
        assert.deepEqual([status, body['error']], [403, 'auth.scope']);
      }
      const fewer = await api.post<Created>('/customers/api-keys', { name: 'fewer', scopes: ['account'] });
      assert.deepEqual(fewer.body.api_key.scopes, ['account']);
      const same = await api.post<Created>('/customers/api-keys', { name: 'same' });
      assert.deepEqual(same.body.api_key.scopes?.toSorted(), ['account', 'admin', 'registry']);
      const { password } = person;
      for (const [path, body] of [
        ['/customers/me/password', { current_password: password, new_password: 'a new password' }],
        [`/admin/users/${person.id}/password`, { password: 'a new password' }],
        [`/admin/users/${person.id}/role`, { role: 'admin' }],
      ] as const) {
        const { status, body: refusal } = await api.put(path, body);
        assert.deepEqual([status, refusal['error']], [403, 'auth.scope'], path);
      }
      await tokenOf(server.current, person);
    });

    test('[ACC-5] without the scope admin an administrator is an ordinary user, and with it a user is not an administrator', async () => {
      const { owner: admin } = await newOwner(newAdministrator);
      const { owner: ada } = await newOwner();
      const id = `p-${randomUUID()}`;
      assert.equal((await ada.post('/publishers', { id, name: id })).status, 201);
      const { secret } = await keyWith(admin, ['registry']);
      const change = async (api: Client) => (await api.put(`/publishers/${id}`, { name: 'changed' })).status;
      assert.equal(await change(client(server.current.url, { apiKey: secret })), 403);
      assert.equal(await change(admin), 200);
      const { secret: useless } = await keyWith(ada, ['admin']);
      const { status, body } = await client(server.current.url, { apiKey: useless }).get('/admin/users');
      assert.deepEqual([status, body['error']], [403, 'auth.forbidden']);
    });

    test('[ACC-2] what everybody may see is there for every key', async () => {
      const { owner } = await newOwner();
      const { secret } = await keyWith(owner, ['workflows']);
      const api = client(server.current.url, { apiKey: secret });
      assert.equal((await api.get('/nodes')).status, 200);
      assert.equal((await api.get('/publishers/nobody-has-this')).status, 404);
    });
  },
  { environment: { ATELIER_NODE_PACKS: PACK } },
);
