import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, type S3Fault, startS3, startServer, type TestS3 } from '@atelier/testing';
import { download, finish, newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { type Client, client } from '../support/http-client.ts';
import { until } from '../support/until.ts';
import { image, newPicture, sendForm, upload } from '../support/user-files.ts';

const blur = (name: string, radius: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image: name } },
  '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: radius, sigma: 1 } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'out' } },
});

describe('a server whose S3 store is in trouble', () => {
  let s3: TestS3 | undefined;
  let server: RunningServer | undefined;
  before(async () => {
    s3 = await startS3();
    server = await startServer({ environment: { ...s3.environment, ATELIER_RUNNERS: '1' } });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  async function setUp(): Promise<{ readonly s3: TestS3; readonly api: Client; readonly name: string }> {
    assert.ok(s3 && server);
    s3.fault = () => undefined;
    const { key } = await newSubmitter(server);
    const api = client(server.url, { apiKey: key });
    const { name } = await upload(api, await newPicture(64, 48));
    return { s3, api, name };
  }

  test('[FIL-37] jobs wait for a store that answers 503 or slowly, and outputs are whole when bodies are cut', async () => {
    const { s3: store, api, name } = await setUp();
    let failures = 12;
    store.fault = (method) => {
      failures -= 1;
      if (failures > 2) return { kind: 'unavailable' };
      if (failures > 0) return { kind: 'slow', ms: 300 };
      return method === 'GET' ? { kind: 'truncated', bytes: 100 } : undefined;
    };
    const { outputs } = await finish(api, blur(name, 1));
    const file = outputs['3']?.['images']?.[0];
    assert.ok(file);
    const bytes = await download(api, file);
    store.fault = () => undefined;
    assert.deepEqual(await download(api, file), bytes);
    assert.ok(bytes.length > 200);
  });

  test('[FIL-37] while the store is away requests that need it get 503 with Retry-After, and nothing is kept', async () => {
    const { s3: store, api, name } = await setUp();
    const count = store.objects.size;
    store.fault = () => ({ kind: 'unavailable' });
    const refused = await sendForm(api, '/api/upload/image', [image(await newPicture(20, 20), 'b.png')]);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '5');
    const view = await api.get(`/view?filename=${name}&type=input`);
    assert.equal(view.status, 503);
    store.fault = () => undefined;
    assert.equal(store.objects.size, count);
    const { body } = await api.get<{ assets: readonly unknown[] }>('/api/assets');
    assert.equal(body.assets.length, 1);
    assert.equal((await api.get(`/view?filename=${name}&type=input`)).status, 200);
  });

  const refused = (code: string): S3Fault => ({ kind: 'refused', status: 403, code });
  const refusals: readonly (readonly [string, TestS3['fault'], string])[] = [
    [
      'a bucket that is full',
      (method) => (method === 'PUT' || method === 'POST' ? refused('QuotaExceeded') : undefined),
      'The file store refuses to store files (QuotaExceeded).',
    ],
    [
      'a key that was revoked',
      () => refused('InvalidAccessKeyId'),
      'The file store refuses requests (InvalidAccessKeyId).',
    ],
  ];
  for (const [what, fault, sentence] of refusals) {
    test(`[FIL-37] [JOB-57] [ADM-45] ${what} gives 503 and a check that says so, and jobs wait`, async () => {
      const { s3: store, api, name } = await setUp();
      const ready = async () => await api.get<Readiness>('/ready');
      await until('the server to be well', async () => (await ready()).status === 200);
      const count = store.objects.size;
      store.fault = fault;
      const { prompt_id: id } = await submit(api, blur(name, 2));
      const form = [image(await newPicture(21, 21), 'b.png')];
      const answer = await sendForm(api, '/api/upload/image', form);
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5']);
      assert.match(JSON.stringify(answer.body), /"server\.file_store"/);
      await until(sentence, async () => {
        const { status, body } = await ready();
        return status === 503 && body.checks.store.message === sentence;
      });
      assert.equal(await (await fetch(new URL('/health', server?.url))).text(), sentence);
      const asked = store.requests.length;
      await until('tries of the job', () => store.requests.length >= asked + 4);
      assert.equal(await statusOf(api, id), 'in_progress');
      assert.equal(store.objects.size, count);

      store.fault = () => undefined;
      assert.equal(await untilStatus(api, id), 'completed');
      await until('the server to be well', async () => (await ready()).status === 200);
      const { body } = await api.get<{ assets: readonly unknown[] }>('/api/assets');
      assert.equal(body.assets.length, 2, 'what was refused was not kept');
    });
  }
});

interface Readiness {
  readonly checks: { readonly store: { readonly message?: string } };
}
