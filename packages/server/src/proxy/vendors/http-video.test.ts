import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { CASES, KEY, pictureAt, set, TASK_ID } from './test/http-vendor.ts';
import type { VendorInput, VendorTask } from './vendor.ts';

const { task: VIDEO, begins, looks, begun } = CASES.video;
const WITH_IMAGE = 'POST /ent/v2/img2video';

/** As the settings of a task are, with nothing asked for. */
const PLAIN = {
  model: 'clipq3-pro',
  prompt: 'A lake at dawn',
  duration: 5,
  resolution: '720p',
  aspect_ratio: '16:9',
  seed: 7,
  style: 'general',
  movement_amplitude: 'auto',
  audio: true,
  audio_type: 'all',
  bgm: false,
  is_rec: false,
  off_peak: false,
  watermark: false,
  wm_position: 3,
};
const SENT = {
  model: 'viduq3-pro',
  prompt: 'A lake at dawn',
  duration: 5,
  resolution: '720p',
  aspect_ratio: '16:9',
  seed: 7,
  audio: true,
  payload: 'task-1',
};

describe('what the video vendor is sent', () => {
  it('is one POST with the key, the settings that differ from defaults and the callback URL', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: begun });
    const taskStatus = await begin(asked({}), { callbackUrl: 'https://us.example/callbacks/task-1' });
    assert.deepEqual(taskStatus, {
      state: 'queued',
      vendorTaskId: TASK_ID,
      askAgainMs: 5_000,
    });
    const [request, ...others] = script.requests;
    assert.equal(others.length, 0);
    assert.deepEqual(request?.json(), { ...SENT, callback_url: 'https://us.example/callbacks/task-1' });
    const { host: _host, ...headers } = request?.headers ?? {};
    assert.deepEqual(headers, {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: `Token ${KEY}`,
      connection: 'close',
      'content-length': String(request?.body.length),
      'content-type': 'application/json',
      'user-agent': 'Atelier',
    });
  });

  it('has the vendor’s name of every model', async (t) => {
    const models = {
      'clipq3-pro': 'viduq3-pro',
      'clipq2-pro-fast': 'viduq2-pro-fast',
      'clipq2-pro': 'viduq2-pro',
      'clipq2-turbo': 'viduq2-turbo',
      clipq1: 'viduq1',
      'clipq1-classic': 'viduq1-classic',
      'clip2.0': 'vidu2.0',
    };
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: begun });
    for (const [own, theirs] of Object.entries(models)) {
      await begin(asked({ model: own }));
      assert.equal(Object(script.requests.at(-1)?.json()).model, theirs);
    }
    await assert.rejects(begin(asked({ model: 'viduq3-pro' })), /name no model of ours/);
    assert.equal(script.requests.length, 7);
  });

  it('has all settings of a video from text', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: begun });
    const wishes = {
      style: 'anime',
      movement_amplitude: 'large',
      bgm: true,
      off_peak: true,
      meta_data: '{"Label":"1"}',
      aspect_ratio: '1:1',
    };
    const nothing = {
      audio: false,
      is_rec: true,
      enhance: true,
      priority: 3,
      payload: 'secret',
      callback_url: 'x',
    };
    await begin(asked({ ...wishes, ...nothing, model: 'clipq1' }));
    const { audio: _audio, ...sent } = SENT;
    assert.deepEqual(script.requests[0]?.json(), { ...sent, ...wishes, model: 'viduq1' });
  });

  it('declines sound where the vendor would make it', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: begun });
    await begin(asked({ audio: false }));
    assert.deepEqual(script.requests[0]?.json(), { ...SENT, audio: false });
  });

  it('goes to another route with a picture, and has no aspect ratio', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(WITH_IMAGE, { body: begun });
    const settings = {
      model: 'clipq2-pro',
      prompt: '',
      audio: true,
      audio_type: 'speech_only',
      voice_id: 'v1',
      is_rec: true,
    };
    await begin(asked(settings, { images: pictureAt('https://files.example/start.png') }));
    assert.deepEqual(script.requests[0]?.json(), {
      model: 'viduq2-pro',
      images: ['https://files.example/start.png'],
      duration: 5,
      resolution: '720p',
      seed: 7,
      is_rec: true,
      audio: true,
      audio_type: 'speech_only',
      voice_id: 'v1',
      payload: 'task-1',
    });
  });

  it('has the picture as a data URL if it has no URL', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(WITH_IMAGE, { body: begun });
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
    await begin(asked({}, { images: await pictureOf(t, bytes) }));
    assert.deepEqual(Object(script.requests[0]?.json()).images, ['data:image/png;base64,iVBOR/8A']);
  });

  it('has the watermark with its place and picture', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: begun });
    await begin(
      asked({ watermark: true, wm_position: 1 }, { wm_url: pictureAt('https://files.example/mark.png') }),
    );
    await begin(asked({ watermark: true }));
    assert.deepEqual(
      script.requests.map((request) => request.json()),
      [
        { ...SENT, watermark: true, wm_position: 1, wm_url: 'https://files.example/mark.png' },
        { ...SENT, watermark: true, wm_position: 3 },
      ],
    );
  });

  it('is nothing if the picture is too large for a request of 20 MB', async (t) => {
    const { script, begin } = await set(t, 'video');
    const images = await pictureOf(t, Buffer.alloc(14_000_001));
    const taskStatus = await begin(asked({}, { images }));
    assert.ok(taskStatus.state === 'failed');
    assert.equal(taskStatus.code, 'ImageTooLarge');
    assert.match(taskStatus.message, /up to 14 MB/);
    assert.equal(script.requests.length, 0);
  });

  it('is only the key when a task is checked', async (t) => {
    const { script, check } = await set(t, 'video');
    script.on(looks, { body: CASES.video.going });
    await check();
    const [request] = script.requests;
    assert.equal(request?.path, `/ent/v2/tasks/${TASK_ID}/creations`);
    assert.equal(request?.headers.authorization, `Token ${KEY}`);
    assert.equal(request?.body.length, 0);
  });
});

describe('how a video stands', () => {
  it('is one of the vendor’s states', async (t) => {
    const { script, check } = await set(t, 'video');
    const states = { created: 'queued', queueing: 'queued', processing: 'running', Processing: 'running' };
    for (const [theirs, own] of Object.entries(states)) {
      script.on(looks, { body: { state: theirs, creations: null } });
      assert.equal((await check()).state, own);
    }
  });

  it('comes with a progress between 0 and 100 where there is one', async (t) => {
    const { script, check } = await set(t, 'video');
    for (const [said, progress] of [
      [42, 42],
      [-3, 0],
      [1e9, 100],
      ['42', undefined],
      [null, undefined],
    ]) {
      script.on(looks, { body: { state: 'processing', progress: said } });
      const taskStatus = await check();
      assert.ok(taskStatus.state === 'running');
      assert.equal(taskStatus.progress, progress);
    }
  });

  it('is checked less often when it is off-peak', async (t) => {
    const { script, check } = await set(t, 'video');
    script.on(looks, { body: CASES.video.going });
    const taskStatus = await check(asked({ off_peak: true }));
    assert.ok(taskStatus.state === 'running');
    assert.equal(taskStatus.askAgainMs, 60_000);
  });

  it('is under way after its begin, even if the vendor says that it has succeeded', async (t) => {
    const { script, begin } = await set(t, 'video');
    script.on(begins, { body: { task_id: TASK_ID, state: 'success' } });
    assert.equal((await begin()).state, 'running');
  });
});

describe('what the video vendor makes', () => {
  const creation = {
    id: 'c1',
    url: 'https://cdn.example/v.mp4',
    cover_url: 'https://cdn.example/c.jpg',
    watermarked_url: 'https://cdn.example/w.mp4',
  };
  const done = (...creations: readonly unknown[]) => ({ state: 'success', err_code: '', creations });

  it('is a video and its cover, and the watermarked video on request', async (t) => {
    const { script, check } = await set(t, 'video');
    script.on(looks, { body: done(creation) });
    const video = { from: { url: 'https://cdn.example/v.mp4' }, role: 'video' };
    const cover = { from: { url: 'https://cdn.example/c.jpg' }, role: 'cover' };
    const marked = { from: { url: 'https://cdn.example/w.mp4' }, role: 'watermarked' };
    assert.partialDeepStrictEqual(await check(), { state: 'done', files: [video, cover] });
    assert.partialDeepStrictEqual(await check(asked({ watermark: true })), {
      state: 'done',
      files: [video, marked, cover],
    });
  });

  it('is only the video if the rest cannot be fetched', async (t) => {
    const { script, check } = await set(t, 'video');
    script.on(looks, { body: done({ url: creation.url, cover_url: '', watermarked_url: null }) });
    const taskStatus = await check(asked({ watermark: true }));
    assert.ok(taskStatus.state === 'done');
    assert.deepEqual(
      taskStatus.files.map(({ role }) => role),
      ['video'],
    );
  });

  it('is a failure without a video to fetch', async (t) => {
    const { script, check } = await set(t, 'video');
    const bodies: readonly object[] = [
      { state: 'success' },
      { state: 'success', creations: null },
      done(),
      done('https://cdn.example/v.mp4'),
      done({ ...creation, url: '' }),
      done({ ...creation, url: 'http://8.8.8.8/v.mp4' }),
      done({ ...creation, url: 'file:///etc/passwd' }),
    ];
    for (const body of bodies) {
      script.on(looks, { body });
      const taskStatus = await check();
      assert.ok(taskStatus.state === 'failed', JSON.stringify(body));
      assert.equal(taskStatus.code, 'NoResult');
    }
  });
});

describe('why the video vendor makes nothing', () => {
  it('is in its code and message', async (t) => {
    const { script, begin } = await set(t, 'video');
    const body = {
      code: 400,
      reason: 'FieldInvalid',
      message: 'invalid field: duration',
      metadata: { trace_id: 'x' },
    };
    script.on(begins, { status: 400, body });
    assert.deepEqual(await begin(), {
      state: 'failed',
      code: 'FieldInvalid',
      message: 'The video vendor says: invalid field: duration',
    });
  });

  it('is a sentence of ours for codes that say too little', async (t) => {
    const { script, begin, check } = await set(t, 'video');
    for (const [code, sentence] of [
      ['CreditInsufficient', /administrator should add some/],
      ['TaskPromptPolicyViolation', /refused the prompt/],
      ['CreationPolicyViolation', /keeps the video back/],
      ['ImageDownloadFailure', /public address/],
    ] as const) {
      script.on(begins, { status: 400, body: { code: 400, reason: code, message: 'terse' } });
      script.on(looks, { body: { state: 'failed', err_code: code, creations: [] } });
      for (const taskStatus of [await begin(), await check()]) {
        assert.ok(taskStatus.state === 'failed');
        assert.equal(taskStatus.code, code);
        assert.match(taskStatus.message, sentence);
      }
    }
  });

  it('is a failed or cancelled task, found when it begins or later, with or without a word', async (t) => {
    const { script, begin, check } = await set(t, 'video');
    const message = 'The video vendor could not make the video.';
    script.on(begins, { body: { task_id: TASK_ID, state: 'failed' } });
    assert.deepEqual(await begin(), { state: 'failed', code: 'VendorFailed', message });
    script.on(looks, { body: { state: 'failed', err_code: 'InternalServiceFailure' } });
    assert.deepEqual(await check(), { state: 'failed', code: 'InternalServiceFailure', message });
    script.on(looks, { body: { state: 'cancelled', err_code: '' } });
    assert.deepEqual(await check(), { state: 'failed', code: 'VendorFailed', message });
    script.on(looks, { body: { state: 'failed', err_code: 'toString' } });
    assert.deepEqual(await check(), { state: 'failed', code: 'toString', message });
  });
});

function asked(settings: object, inputs: VendorTask['inputs'] = {}): VendorTask {
  return { ...VIDEO, settings: { ...PLAIN, ...settings }, inputs };
}

async function pictureOf(t: TestContext, bytes: Buffer): Promise<VendorInput> {
  const folder = await temporaryFolder();
  t.after(async () => await folder[Symbol.asyncDispose]());
  const path = join(folder.path, 'start.png');
  await writeFile(path, bytes);
  return { path, mediaType: 'image/png', url: undefined };
}
