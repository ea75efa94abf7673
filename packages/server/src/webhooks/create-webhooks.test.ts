import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { startReceiver } from './test/receiver.ts';
import { anAccount, forgetAll, webhooksOn } from './test/webhooks-on.ts';

const DAY = 24 * 3_600_000;

onEachDatabase('webhooks', (db) => {
  beforeEach(async () => await forgetAll(db()));

  for (const url of [
    'hook',
    'ftp://example.com/',
    'https://user:pass@example.com/',
    'http://169.254.169.254/latest',
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://localhost/',
    'http://10.0.0.1/',
    `https://example.com/${'a'.repeat(9000)}`,
  ]) {
    it(`refuse ${url.slice(0, 40)} in a sentence that names the field`, async (t) => {
      const { assertUrl } = webhooksOn(t, db(), { allow: [] });
      await assert.rejects(assertUrl(url, 'callback_url'), (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'request.invalid');
        assert.match(error.message, /^callback_url cannot be used: .+\.$/);
        return true;
      });
    });
  }

  it('take public addresses, exceptions, and names that cannot be found now', async (t) => {
    const { assertUrl } = webhooksOn(t, db(), { allow: ['127.0.0.1:9000'] });
    for (const url of ['https://8.8.8.8/hook', 'http://127.0.0.1:9000/', 'https://not-there.invalid/']) {
      await assertUrl(url);
    }
  });

  it('send as soon as they are woken, and find other deliveries by themselves', async (t) => {
    const { promise: second, resolve } = Promise.withResolvers<void>();
    const receiver = await startReceiver(t, (_, response) => {
      response.writeHead(204).end();
      if (receiver.received.length === 2) resolve();
    });
    const webhooks = webhooksOn(t, db(), { pollMs: 5 });
    const userId = await anAccount(db());
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.start();
    await webhooks.add({ userId, url: receiver.url });
    await second;
    assert.equal(receiver.received.length, 2);
  });

  it('[WHK-14] forget deliveries after 30 days, and endpoints that have not failed for as long', async (t) => {
    const receiver = await startReceiver(t, 410);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    webhooks.time.now += 10 * DAY;
    await webhooks.add({ userId, url: receiver.url });
    webhooks.time.now += 20 * DAY;
    await webhooks.tidy();
    const count = async (table: 'webhook_deliveries' | 'webhook_endpoints') =>
      (await db().selectFrom(table).select('id').execute()).length;
    assert.equal(await count('webhook_deliveries'), 2);
    webhooks.time.now += 1;
    await webhooks.tidy();
    assert.equal(await count('webhook_deliveries'), 1);
    assert.equal(await count('webhook_endpoints'), 0);
    webhooks.time.now += 10 * DAY;
    await webhooks.tidy();
    assert.equal(await count('webhook_deliveries'), 0);
  });

  it('survive a database that fails for a moment: outcomes are stored later', async (t) => {
    let isBroken = false;
    const receiver = await startReceiver(t, (_, response) => {
      isBroken = true;
      response.writeHead(204).end();
    });
    const breaking = db().withPlugin({
      transformQuery: ({ node }) => {
        if (isBroken) throw new Error('the database is gone');
        return node;
      },
      transformResult: async ({ result }) => await Promise.resolve(result),
    });
    const webhooks = webhooksOn(t, breaking);
    const userId = await anAccount(db());
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    assert.ok(webhooks.errors.length > 0);
    isBroken = false;
    await webhooks.drain();
    const [row] = await db().selectFrom('webhook_deliveries').selectAll().execute();
    assert.equal(row?.status, 'delivered');
    assert.equal(receiver.received.length, 1);
  });
});
