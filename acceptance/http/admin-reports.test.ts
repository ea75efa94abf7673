import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { submit } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { adminClient, newClient, patience } from '../support/sdk.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { pictureWorkflow, textWorkflow } from '../support/workflows.ts';

const SECRET = 'a-key-that-nobody-sees';
const PASSWORD = 'a-password-in-a-url';
const REPORTS = ['/admin/queue/history', '/admin/storage', '/admin/webhooks/endpoints', '/admin/settings'];

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());

onEachEngine(
  'reports for administrators',
  (server) => {
    test('[ADM-8] the queue has a point for each step, with what was begun and ended', async () => {
      const { jobs } = await newClient(server.current);
      await jobs.run(textWorkflow(), { signal: patience() });
      const { admin } = adminClient(server.current);
      const point = await until('the step', async () =>
        (await admin.queueHistory()).points.find(({ completed }) => completed > 0),
      );
      assert.equal((await admin.queueHistory()).step_ms, 10_000);
      assert.ok(point.mean_wait_ms === undefined || point.mean_wait_ms <= (point.max_wait_ms ?? 0));
      assert.ok(point.waiting >= 0 && point.running >= 0);
    });

    test('[ADM-8] storage is reported in total and by user', async () => {
      const { jobs, account, userId } = await newClient(server.current);
      await jobs.run(pictureWorkflow(), { signal: patience() });
      const { storage } = await account.usage();
      const report = await adminClient(server.current).admin.storage();
      const own = report.users.find(({ user }) => user.id === userId);
      assert.deepEqual([own?.used_bytes, own?.files], [storage.used_bytes, storage.files]);
      assert.ok(own?.user.email);
      assert.ok(report.used_bytes >= storage.used_bytes);
      assert.equal(report.quota_bytes, storage.quota_bytes);
    });

    test('[HOST-36] an account sees what fills its storage', async () => {
      const { jobs, account, assets } = await newClient(server.current);
      await jobs.run(pictureWorkflow(), { signal: patience() });
      await assets.upload(new File(['words'], 'words.txt'));
      const { storage } = await account.usage({ byKind: true });
      const found = storage.by_kind?.map(({ folder, kind, files }) => [folder, kind, files]);
      assert.deepEqual(found, [
        ['output', 'picture', 1],
        ['input', 'other', 1],
      ]);
      assert.equal((await account.usage()).storage.by_kind, undefined);
    });

    test('[ADM-9] endpoints that fail are listed with their owners', async () => {
      const { key, userId } = await newClient(server.current);
      const path = `/${server.engine}`;
      receiver.answer(path, { status: 500 });
      const api = client(server.current.url, { apiKey: key });
      await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
      const { admin } = adminClient(server.current);
      const failing = await until('the failure', async () =>
        (await admin.failingEndpoints()).find(({ user }) => user.id === userId),
      );
      assert.equal(failing.url, receiver.url(path));
      assert.equal(failing.status, 'failing');
      assert.ok(failing.user.email);
    });

    test('[ADM-9] settings are shown without secrets', async () => {
      const settings = await adminClient(server.current).admin.settings();
      const text = JSON.stringify(settings);
      assert.ok(!text.includes(SECRET) && !text.includes(PASSWORD));
      const of = (name: string) => settings.find((setting) => setting.name === name);
      assert.partialDeepStrictEqual(of('ATELIER_IMAGE_VENDOR_KEY'), { is_set: true, is_secret: true });
      assert.equal(of('ATELIER_IMAGE_VENDOR_KEY')?.value, undefined);
      assert.match(of('ATELIER_IMAGE_VENDOR_URL')?.value ?? '', /hidden/);
      assert.partialDeepStrictEqual(of('ATELIER_TEMP_HOURS'), { is_set: true, value: '7' });
      assert.partialDeepStrictEqual(of('ATELIER_TOKEN_MINUTES'), { is_set: false });
      assert.ok(of('ATELIER_TOKEN_MINUTES')?.value);
    });

    test('[ADM-8] [ADM-9] others may not see any of it', async () => {
      const { key } = await newClient(server.current);
      const api = client(server.current.url, { apiKey: key });
      for (const path of REPORTS) assert.equal((await api.get(path)).status, 403, path);
    });
  },
  {
    environment: async () => ({
      ATELIER_IMAGE_VENDOR_KEY: SECRET,
      ATELIER_IMAGE_VENDOR_URL: `http://user:${PASSWORD}@127.0.0.1:9`,
      ATELIER_TEMP_HOURS: '7',
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
    }),
  },
);
