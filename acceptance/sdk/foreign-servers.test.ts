import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Atelier, AtelierError, createAtelier } from '@atelier/sdk';

import { patience, rejection } from '../support/sdk.ts';
import { textWorkflow } from '../support/workflows.ts';

/** One of each kind, at least one of every area. */
const CALLS: Readonly<Record<string, (atelier: Atelier) => Promise<unknown>>> = {
  submit: async ({ jobs }) => await jobs.submit(textWorkflow()),
  run: async ({ jobs }) => await jobs.run(textWorkflow()),
  job: async ({ jobs }) => await jobs.get('1'),
  jobs: async ({ jobs }) => await jobs.list().toArray(),
  events: async ({ jobs }) => await Array.fromAsync(jobs.watch('1', { reconnectMs: 0 })),
  result: async ({ jobs }) => await jobs.attach('1').result({ reconnectMs: 0, signal: patience() }),
  outputs: async ({ jobs }) => await jobs.attach('1').outputs(),
  cancel: async ({ jobs }) => await jobs.cancel(['1']),
  workflows: async ({ workflows }) => await workflows.list(),
  upload: async ({ files }) => await files.upload(new Uint8Array(8)),
  share: async ({ files }) => await files.share(new Uint8Array(8)),
  assets: async ({ assets }) => await assets.list().toArray(),
  tags: async ({ assets }) => await assets.countTags(),
  queue: async ({ queue }) => await queue.get(),
  remaining: async ({ queue }) => await queue.remaining(),
  history: async ({ history }) => await history.list(),
  folders: async ({ models }) => await models.folders(),
  publishers: async ({ registry }) => await registry.publishers.list().toArray(),
  packs: async ({ registry }) => await registry.packs.search('x').toArray(),
  versions: async ({ registry }) => await registry.versions.getMany([]),
  publish: async ({ registry }) =>
    await registry.publish(new Uint8Array(8), { publisher: 'a', pack: 'a', token: 'a', version: '1.0.0' }),
  generation: async ({ generation }) => await generation.skin.faithful({ image: 'x' }),
  tasks: async ({ generation }) => await generation.list().toArray(),
  task: async ({ generation }) => await generation.attach('video', '1').result(),
  prices: async ({ generation }) => await generation.prices(),
  balance: async ({ credits }) => await credits.balance(),
  keys: async ({ keys }) => await keys.list(),
  newKey: async ({ keys }) => await keys.create({ name: 'x' }),
  secret: async ({ webhooks }) => await webhooks.secret(),
  deliveries: async ({ webhooks }) => await webhooks.deliveries.list().toArray(),
  account: async ({ account }) => await account.get(),
  settings: async ({ settings }) => await settings.list(),
  userData: async ({ userData }) => await userData.save('x', 'x'),
  device: async ({ oauth }) => await oauth.authorizeDevice({ clientId: 'x' }),
  users: async ({ admin }) => await admin.users.list().toArray(),
  workers: async ({ admin }) => await admin.workers.list(),
  audit: async ({ admin }) => await admin.audit().toArray(),
  health: async ({ server }) => await server.health(),
  version: async ({ server }) => await server.version(),
};

/** Any object may be settings. */
const MAY_PASS = new Set(['settings']);

const ANSWERS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'a web page': ['text/html', '<!doctype html><title>Welcome</title>'],
  'a web page that calls itself JSON': ['application/json', '<!doctype html><title>Welcome</title>'],
  nothing: ['text/plain', ''],
  'JSON of another program': ['application/json', '{"status":"ok","value":{"jobs":5}}'],
  'a list': ['application/json', '[{"status":"ok"}]'],
  null: ['application/json', 'null'],
};

for (const [what, [type, body]] of Object.entries(ANSWERS)) {
  test(`a server that answers everything with ${what} is not an Atelier, which every call says in one sentence`, async () => {
    const foreign = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
      const atelier = createAtelier({ url, apiKey: 'key', retries: 0 });
      for (const [name, call] of Object.entries(CALLS)) {
        if (MAY_PASS.has(name) && what === 'JSON of another program') continue;
        const error = await rejection(call(atelier));
        assert.ok(error instanceof AtelierError, `${name}: ${String(error)}`);
        assert.equal(error.code, 'client.answer', `${name}: ${error.message}`);
        assert.match(
          error.message,
          /^http:\/\/127\.0\.0\.1:\d+ does not answer .+ as Atelier does: .+\?$/,
          name,
        );
        assert.equal(error.isRetryable, false);
      }
    } finally {
      foreign.close();
      foreign.closeAllConnections();
    }
  });
}

test('an answer of an older server without one part is refused by the name of that part', async () => {
  const old = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"atelier"}');
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  try {
    const { server } = createAtelier({ url: `http://127.0.0.1:${(old.address() as AddressInfo).port}` });
    const error = await rejection(server.version());
    assert.match(
      String(error),
      /does not answer \/version as Atelier does: it has no “version”\. .+ as new as this client\?/,
    );
  } finally {
    old.close();
    old.closeAllConnections();
  }
});
