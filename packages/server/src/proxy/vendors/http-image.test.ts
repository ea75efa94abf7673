import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { CASES, KEY, pictureAt, set, TASK_ID } from './test/http-vendor.ts';
import type { VendorInput, VendorTask } from './vendor.ts';

const { task: SKIN, begins, looks, begun } = CASES.image;
const ADVANCED = { whites: 60, blacks: 50, engine: 'illusio', fixed_generation: true };
const RELIGHT: VendorTask = {
  ...SKIN,
  kind: 'relight',
  settings: {
    prompt: 'A forest at (golden hour:1.3)',
    light_transfer_strength: 90,
    interpolate_from_original: false,
    change_background: true,
    style: 'smooth',
    preserve_details: true,
    advanced_settings: ADVANCED,
  },
};

describe('what the image vendor is sent', () => {
  it('is one POST with the key, the URL of the picture, the settings and the callback URL', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on(begins, { body: begun });
    const taskStatus = await begin(SKIN, { callbackUrl: 'https://us.example/callbacks/task-1' });
    assert.deepEqual(taskStatus, { state: 'queued', vendorTaskId: TASK_ID, askAgainMs: 2_000 });
    const [request, ...others] = script.requests;
    assert.equal(others.length, 0);
    assert.deepEqual(request?.json(), {
      image: 'https://files.example/in.png',
      sharpen: 0,
      smart_grain: 2,
      skin_detail: 80,
      webhook_url: 'https://us.example/callbacks/task-1',
    });
    const { host: _host, ...headers } = request?.headers ?? {};
    assert.deepEqual(headers, {
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'close',
      'content-length': String(request?.body.length),
      'content-type': 'application/json',
      'user-agent': 'Atelier',
      'x-freepik-api-key': KEY,
    });
  });

  it('has only the fields of its mode', async (t) => {
    const { script, begin } = await set(t, 'image');
    const settings = {
      sharpen: 1,
      smart_grain: 2,
      skin_detail: 3,
      optimized_for: 'no_make_up',
      webhook_url: 'x',
    };
    const expected = {
      creative: { sharpen: 1, smart_grain: 2 },
      faithful: { sharpen: 1, smart_grain: 2, skin_detail: 3 },
      flexible: { sharpen: 1, smart_grain: 2, optimized_for: 'no_make_up' },
    };
    for (const mode of ['creative', 'faithful', 'flexible'] as const) {
      const route = `POST /v1/ai/skin-enhancer/${mode}`;
      script.on(route, { body: begun });
      await begin({ ...SKIN, kind: `skin-${mode}`, settings });
      assert.deepEqual(script.to(route)[0]?.json(), {
        image: 'https://files.example/in.png',
        ...expected[mode],
      });
    }
  });

  it('has every field of a relight, with its reference picture', async (t) => {
    const { script, begin, check } = await set(t, 'image');
    script.on('POST /v1/ai/image-relight', { body: begun });
    script.on('GET /v1/ai/image-relight/:id', { body: CASES.image.going });
    const inputs = {
      image: pictureAt('https://files.example/in.png'),
      transfer_light_from_reference_image: pictureAt('https://files.example/light.png'),
    };
    await begin({ ...RELIGHT, inputs });
    assert.deepEqual(script.requests[0]?.json(), {
      image: 'https://files.example/in.png',
      transfer_light_from_reference_image: 'https://files.example/light.png',
      ...RELIGHT.settings,
    });
    assert.equal((await check(RELIGHT)).state, 'running');
  });

  it('leaves out an empty prompt', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on('POST /v1/ai/image-relight', { body: begun });
    await begin({ ...RELIGHT, settings: { ...RELIGHT.settings, prompt: '' } });
    assert.ok(!('prompt' in Object(script.requests[0]?.json())));
  });

  it('has the picture in bare base64 if it has no URL', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on(begins, { body: begun });
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
    await begin({ ...SKIN, inputs: { image: await pictureOf(t, bytes) } });
    const { image } = Object(script.requests[0]?.json());
    assert.equal(image, 'iVBOR/8A');
  });

  it('has a large picture in full', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on(begins, { body: begun });
    const bytes = Buffer.alloc(6_000_000, 'pixels');
    await begin({ ...SKIN, inputs: { image: await pictureOf(t, bytes) } });
    const { image } = Object(script.requests[0]?.json());
    assert.ok(bytes.equals(Buffer.from(String(image), 'base64')));
  });

  it('may have arrived if a large picture was cut off in the middle', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on(begins, { does: 'reset-unread' });
    const image = await pictureOf(t, Buffer.alloc(6_000_000, 'pixels'));
    await assert.rejects(begin({ ...SKIN, inputs: { image } }), {
      name: 'VendorTrouble',
      mayHaveArrived: true,
    });
    assert.equal(script.requests.length, 1);
  });

  it('is nothing if the pictures are too large for a request', async (t) => {
    const { script, begin } = await set(t, 'image');
    const image = await pictureOf(t, Buffer.alloc(30_000_000));
    const taskStatus = await begin({ ...SKIN, inputs: { image, transfer_light_from_lightmap: image } });
    assert.ok(taskStatus.state === 'failed');
    assert.equal(taskStatus.code, 'ImageTooLarge');
    assert.equal(script.requests.length, 0);
  });

  it('is nothing for a video, which is a bug', async (t) => {
    const { begin } = await set(t, 'image');
    await assert.rejects(begin({ ...SKIN, kind: 'video' }), /makes no video/);
  });

  it('is only the key when a task is checked', async (t) => {
    const { script, check } = await set(t, 'image');
    script.on(looks, { body: CASES.image.going });
    await check();
    const [request] = script.requests;
    assert.equal(request?.path, `/v1/ai/skin-enhancer/${TASK_ID}`);
    assert.equal(request?.headers['x-freepik-api-key'], KEY);
    assert.equal(request?.body.length, 0);
  });
});

describe('what the image vendor makes', () => {
  const completed = (generated: unknown) => ({ data: { task_id: TASK_ID, status: 'COMPLETED', generated } });

  it('is every picture at an https URL', async (t) => {
    const { script, check } = await set(t, 'image');
    const urls = ['https://cdn.example/a.png?sig=1', 'https://cdn.example/b.png'];
    script.on(looks, { body: completed(urls) });
    assert.partialDeepStrictEqual(await check(), {
      state: 'done',
      files: urls.map((url) => ({ from: { url }, role: 'picture' })),
    });
  });

  it('is also read from a body without the wrapper', async (t) => {
    const { script, check } = await set(t, 'image');
    script.on(looks, {
      body: { task_id: TASK_ID, status: 'completed', generated: ['https://cdn.example/a.png'] },
    });
    assert.equal((await check()).state, 'done');
  });

  it('is not fetched from http, except from a host on the allow list', async (t) => {
    const { script, check } = await set(t, 'image');
    const own = `${script.origin}/a.png`;
    script.on(looks, { body: completed(['http://8.8.8.8/a.png', own]) });
    const files = [{ from: { url: own }, role: 'picture' }];
    assert.partialDeepStrictEqual(await check(), { state: 'done', files });
  });

  it('is a failure if nothing can be fetched', async (t) => {
    const { script, check } = await set(t, 'image');
    const nothing: readonly unknown[] = [
      undefined,
      null,
      [],
      'https://cdn.example/a.png',
      [
        '',
        5,
        null,
        {},
        'a.png',
        'ftp://cdn.example/a',
        'file:///etc/passwd',
        'data:,x',
        'http://8.8.8.8/a.png',
      ],
      ['https://user:pass@cdn.example/a.png', `https://cdn.example/${'a'.repeat(9_000)}`],
    ];
    for (const generated of nothing) {
      script.on(looks, { body: completed(generated) });
      const taskStatus = await check();
      assert.ok(taskStatus.state === 'failed', JSON.stringify(generated));
      assert.equal(taskStatus.code, 'NoResult');
    }
  });

  it('is at most sixteen pictures', async (t) => {
    const { script, check } = await set(t, 'image');
    script.on(looks, {
      body: completed(Array.from({ length: 1_000 }, (_, n) => `https://cdn.example/${n}`)),
    });
    const taskStatus = await check();
    assert.ok(taskStatus.state === 'done');
    assert.equal(taskStatus.files.length, 16);
  });
});

describe('why the image vendor makes nothing', () => {
  it('is in its message and the fields it names', async (t) => {
    const { script, begin } = await set(t, 'image');
    const params = [{ field: 'body.sharpen', reason: 'must be at most 100' }, 'odd', { name: 'image' }];
    script.on(begins, { status: 400, body: { message: 'Your request is invalid.', invalid_params: params } });
    assert.deepEqual(await begin(), {
      state: 'failed',
      code: 'BadRequest',
      message: 'The image vendor says: Your request is invalid.; body.sharpen: must be at most 100; image',
    });
  });

  it('is that the account has no credits', async (t) => {
    const { script, begin } = await set(t, 'image');
    script.on(begins, { status: 402, body: { message: 'payment required' } });
    const taskStatus = await begin();
    assert.ok(taskStatus.state === 'failed');
    assert.match(taskStatus.message, /no credits left: its administrator/);
  });

  it('is a failed task, found when it begins or later', async (t) => {
    const { script, begin, check } = await set(t, 'image');
    const expected = {
      state: 'failed',
      code: 'VendorFailed',
      message: 'The image vendor could not make the picture.',
    };
    script.on(begins, { body: { data: { task_id: TASK_ID, status: 'FAILED' } } });
    assert.deepEqual(await begin(), expected);
    for (const status of ['FAILED', 'CANCELLED']) {
      script.on(looks, { body: { data: { task_id: TASK_ID, status } } });
      assert.deepEqual(await check(), expected);
    }
  });
});

async function pictureOf(t: TestContext, bytes: Buffer): Promise<VendorInput> {
  const folder = await temporaryFolder();
  t.after(async () => await folder[Symbol.asyncDispose]());
  const path = join(folder.path, 'in.png');
  await writeFile(path, bytes);
  return { path, mediaType: 'image/png', url: undefined };
}
