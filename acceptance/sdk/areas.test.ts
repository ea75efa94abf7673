import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { AtelierError, createAtelier, loadWorkflow, verifyWebhook } from '@atelier/sdk';
import { startServer } from '@atelier/testing';
import { newPerson } from '../support/people.ts';
import { startReceiver } from '../support/receiver.ts';
import { zipOf } from '../support/registry-archives.ts';
import { adminClient, newClient, patience, rejection } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import { face } from '../support/test-pictures.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

onAnyEngine('areas of the client', (server) => {
  test('the server says what it is', async () => {
    const { server: area } = createAtelier({ url: server.current.url });
    assert.deepEqual(await area.health(), { ok: true, problem: undefined });
    const { name, version } = await area.version();
    assert.equal(name, 'atelier');
    assert.match(version, /^\d+\.\d+\.\d+/);
    const error = await rejection(area.features());
    assert.ok(error instanceof AtelierError && error.code === 'auth.required');
    const own = await newClient(server.current);
    assert.equal((await own.server.features()).max_concurrent_jobs, 5);
    assert.ok((await own.server.stats()).devices.length > 0);
  });

  test('node types and models', async () => {
    const atelier = await newClient(server.current);
    const type = await atelier.nodeTypes.get('EmptyImage');
    assert.ok(type?.input?.['required']?.['width']);
    assert.ok('SaveImage' in (await atelier.nodeTypes.list()));
    assert.ok((await atelier.models.folders()).includes('checkpoints'));
    assert.deepEqual(await atelier.models.list('checkpoints'), []);
  });

  test('accounts, keys and credits', async () => {
    const root = adminClient(server.current);
    const email = `${randomUUID()}@example.org`;
    const user = await root.admin.users.create({ email, password: 'a long sentence', name: 'Ada' });
    await root.admin.users.setSubscription(user.id, { tier: 'pro', status: 'active' });
    assert.equal(await root.admin.users.changeCredits(user.id, { amount: 50 }), 50);
    const [found] = await root.admin.users.list({ search: email }).toArray();
    assert.equal(found?.id, user.id);

    const { access_token } = await createAtelier({ url: server.current.url }).account.token({
      email,
      password: 'a long sentence',
    });
    const ada = createAtelier({ url: server.current.url, apiKey: async () => access_token });
    assert.equal((await ada.account.get()).credits, 50);
    const key = await ada.keys.create({ name: 'render farm' });
    const byKey = createAtelier({ url: server.current.url, apiKey: key.plaintext_key });
    assert.equal(await byKey.credits.balance(), 50);
    assert.deepEqual(
      (await byKey.credits.list().toArray()).map(({ amount }) => amount),
      [50],
    );
    assert.equal((await byKey.account.usage()).jobs.max_running, 5);
    assert.equal((await ada.keys.list()).length, 1);
    await ada.keys.delete(key.id);
    const refused = await rejection(byKey.account.get());
    assert.ok(refused instanceof AtelierError && refused.code === 'auth.invalid');
    await ada.account.changePassword({ current: 'a long sentence', next: 'another sentence' });
    await root.admin.users.ban(user.id, 'left');
    await root.admin.users.unban(user.id);
    await root.admin.users.delete(user.id);
    assert.ok((await rejection(root.admin.users.get(user.id))) instanceof AtelierError);
  });

  test('[ACC-13] signing in to a page of the server, and out', async () => {
    const { email, password } = await newPerson(server.current);
    let cookie = '';
    // What a browser does by itself.
    const page = createAtelier({
      url: server.current.url,
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('cookie', cookie);
        headers.set('origin', server.current.url);
        const answer = await fetch(input, { ...init, headers });
        cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie;
        return answer;
      },
    });
    assert.deepEqual(await page.account.signInMethods(), { password: true, outside: null });
    await page.account.signIn({ email, password });
    assert.equal((await page.account.get()).email, email);
    await page.keys.create({ name: 'made by a page' });
    await page.account.signOut();
    assert.ok((await rejection(page.account.get())) instanceof AtelierError);
  });

  test('saved workflows', async () => {
    const atelier = await newClient(server.current);
    const saved = await atelier.workflows.save(loadWorkflow(textWorkflow()), { name: 'words' });
    assert.deepEqual(
      (await atelier.workflows.list()).map(({ id }) => id),
      [saved.id],
    );
    assert.ok('2' in (await atelier.workflows.get(saved.id)).workflow_json);
    await atelier.workflows.delete(saved.id);
    assert.deepEqual(await atelier.workflows.list(), []);
  });

  test('a pack is published, and its report awaited', async () => {
    const atelier = await newClient(server.current);
    const root = adminClient(server.current);
    const publisher = `p${randomUUID()}`;
    const pack = `pack-${randomUUID()}`;
    const { registry } = atelier;
    assert.equal(await registry.publishers.isAvailable(publisher), true);
    await registry.publishers.create({ id: publisher, name: 'Acme' });
    assert.deepEqual(
      (await registry.publishers.mine()).map(({ id }) => id),
      [publisher],
    );
    const { token } = await registry.tokens.create(publisher, { name: 'build server' });
    const good = zipOf([{ name: '__init__.py', content: 'NODE_CLASS_MAPPINGS = {}\n' }]);
    const about = { name: `Blur ${publisher}`, description: 'Blurs.' };
    const first = await registry.publish(good, { publisher, pack, token, version: '1.0.0', about });
    assert.equal(first.status, 'NodeVersionStatusActive');
    const bad = zipOf([{ name: '__init__.py', content: 'import os\n\nos.system("make")\n' }]);
    const second = await registry.publish(bad, { publisher, pack, token, version: { version: '1.1.0' } });
    assert.equal(second.status, 'NodeVersionStatusFlagged');
    assert.equal(second.report?.findings[0]?.rule, 'process-start');
    assert.equal((await registry.packs.get(pack)).latest_version?.version, '1.0.0');
    assert.deepEqual(
      (await registry.packs.search(publisher).toArray()).map(({ id }) => id),
      [pack],
    );
    assert.equal((await registry.versions.list(pack)).length, 2);
    const many = await registry.versions.getMany([
      { pack, version: '1.0.0' },
      { pack, version: '9.0.0' },
    ]);
    assert.deepEqual(
      many.map(({ status }) => status),
      ['success', 'not_found'],
    );
    const all = await registry.versions.listAll({ pack, statuses: ['NodeVersionStatusActive'] }).toArray();
    assert.deepEqual(
      all.map(({ version }) => version),
      ['1.0.0'],
    );
    assert.ok((await registry.packs.export()).nodes.some(({ id }) => id === pack));
    assert.deepEqual(await registry.packs.nodes({ pack }).toArray(), []);
    assert.ok(Buffer.from(await registry.versions.open(pack, '1.0.0').download()).equals(good));
    await registry.versions.requestReview(publisher, pack, second.id, { note: 'harmless' });
    const asked = await root.admin.registry.versions({ pack, reviewRequested: true }).toArray();
    assert.equal(asked.length, 1);
    await root.admin.registry.decide(pack, '1.1.0', { status: 'NodeVersionStatusActive' });
    assert.equal((await registry.packs.install(pack)).version, '1.1.0');
    const audit = await root.admin.audit({ subject: `publisher:${publisher}` }).toArray();
    assert.ok(audit.length > 0);
    const used = await rejection(registry.publish(good, { publisher, pack, token, version: '1.0.0' }));
    assert.ok(used instanceof AtelierError && used.code === 'registry.version_exists');
  });

  test('settings and files of the editor', async () => {
    const { settings, userData } = await newClient(server.current);
    assert.deepEqual(await settings.set({ 'Comfy.Locale': 'en', 'Comfy.Size': { width: 3 } }), {
      'Comfy.Locale': 'en',
      'Comfy.Size': { width: 3 },
    });
    assert.equal(await settings.get('Comfy.Locale'), 'en');
    assert.equal(await settings.get('Comfy.Other'), null);
    assert.deepEqual(Object.keys(await settings.list()), ['Comfy.Locale', 'Comfy.Size']);

    const saved = await userData.save('notes/day one.txt', 'Fog.');
    assert.deepEqual([saved.path, saved.size], ['notes/day one.txt', 4]);
    const taken = await rejection(userData.save('notes/day one.txt', 'Rain.', { overwrite: false }));
    assert.ok(taken instanceof AtelierError && taken.status === 409, String(taken));
    await userData.move('notes/day one.txt', 'notes/first.txt');
    assert.equal(await userData.open('notes/first.txt').text(), 'Fog.');
    const found = await userData.list('notes');
    assert.deepEqual(
      found.map(({ path, type }) => [path, type]),
      [['notes/first.txt', 'file']],
    );
    await userData.delete('notes/first.txt');
    assert.equal(((await rejection(userData.open('notes/first.txt').text())) as AtelierError).status, 404);
  });

  test('addresses of pictures in any size, for pages', async () => {
    const atelier = await newClient(server.current);
    const { asset, name } = await atelier.files.upload(await face({ width: 300, height: 200 }));
    for (const [url, type] of [
      [atelier.files.url({ filename: name, type: 'input' }, { size: 64 }), 'image/jpeg'],
      [atelier.assets.previewUrl(asset.id, 256), 'image/webp'],
    ] as const) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${atelier.key}` } });
      assert.equal(response.headers.get('content-type'), type);
      assert.ok((await response.arrayBuffer()).byteLength > 100);
    }
  });

  test('what the server measures is for administrators', async () => {
    assert.match(await adminClient(server.current).admin.metrics(), /^atelier_\w+.* \d/m);
  });

  test('worker tokens and workers', async () => {
    const { admin } = adminClient(server.current);
    const created = await admin.workerTokens.create({ name: 'studio', labels: ['gpu'] });
    assert.ok(created.token);
    assert.equal((await admin.workerTokens.update(created.id, { name: 'cellar' })).name, 'cellar');
    assert.ok((await admin.workerTokens.list()).some(({ id }) => id === created.id));
    await admin.workerTokens.delete(created.id);
    const workers = await until('a worker', async () => {
      const found = await admin.workers.list();
      return found.length > 0 ? found : undefined;
    });
    const id = workers[0]?.id ?? '';
    assert.deepEqual(await admin.workers.models(id), {});
    assert.equal((await admin.workers.conflicts()).total, 0);
    assert.ok(Array.isArray(await admin.workers.demand()));
  });

  test('someone else gets nothing but an error code', async () => {
    const atelier = await newClient(server.current);
    const error = await rejection(atelier.admin.users.list().toArray());
    assert.ok(error instanceof AtelierError && error.code === 'auth.forbidden');
    const missing = await rejection(atelier.jobs.get(randomUUID()));
    assert.ok(missing instanceof AtelierError && missing.code === 'resource.not_found');
    assert.ok((await rejection(atelier.jobs.get('..'))) instanceof AtelierError);
  });
});

test('a generation is created once, followed, and its file fetched', async () => {
  await using server = await startServer();
  const atelier = await newClient(server);
  const states: string[] = [];
  const task = await atelier.generation.relight(
    { image: await face(), prompt: 'moonlight' },
    { idempotencyKey: 'one' },
  );
  const result = await task.result({
    signal: patience(),
    onProgress: ({ state }) => states.push(state),
  });
  assert.equal(states.at(-1), 'completed');
  assert.equal(result.files.length, 1);
  assert.equal((await result.files[0]?.blob())?.type, 'image/png');
  const again = atelier.generation.attach('relight', task.id);
  assert.equal((await again.status()).state, 'completed');
  assert.equal((await atelier.generation.list().toArray()).length, 1);
  assert.ok((await atelier.generation.prices()).videos.length > 0);
  assert.equal((await atelier.generation.vendors()).length, 2);
  const bad = await rejection(atelier.generation.skin.faithful({ image: 'no picture' }));
  assert.ok(bad instanceof AtelierError && bad.code === 'request.invalid');
  const poor = await rejection(atelier.generation.video({ model: 'clipq3-pro', prompt: 'waves' }));
  assert.ok(poor instanceof AtelierError && poor.code === 'credits.insufficient', String(poor));
});

test('a webhook arrives, is verified with one call, and can be sent again', async () => {
  const receiver = await startReceiver();
  await using server = await startServer({
    environment: { ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` },
  });
  try {
    const atelier = await newClient(server);
    const secret = await atelier.webhooks.secret();
    const job = await atelier.jobs.submit(textWorkflow('hello'), { webhookUrl: receiver.url('/hook') });
    const first = await until('the message', () => receiver.at('/hook')[0]);
    const message = await verifyWebhook<{ type: string; prompt_id: string }>(
      first.text,
      first.headers,
      secret,
    );
    assert.equal(message.body.type, 'job.completed');
    assert.equal(message.body.prompt_id, job.id);

    const next = await atelier.webhooks.rotateSecret();
    const [delivery] = await atelier.webhooks.deliveries.list({ subject: `job:${job.id}` }).toArray();
    assert.equal(delivery?.id, message.id);
    await atelier.webhooks.deliveries.redeliver(message.id);
    const second = await until('the repetition', () => receiver.at('/hook')[1]);
    for (const one of [secret, next]) {
      assert.equal((await verifyWebhook(second.text, second.headers, one)).id, message.id);
    }
    assert.equal((await atelier.webhooks.deliveries.get(message.id)).body, first.text);
    assert.deepEqual(await atelier.webhooks.endpoints.list(), []);
  } finally {
    receiver.close();
  }
});
