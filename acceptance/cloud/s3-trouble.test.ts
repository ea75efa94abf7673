import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startS3, startServer, type TestS3 } from '@atelier/testing';
import { download, finish, newSubmitter } from '../support/cloud.ts';
import { type Client, client } from '../support/http-client.ts';
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
});
