import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import { componentsOf } from '../test/clips.ts';
import { videoFixture } from '../test/media-fixtures.ts';
import { nodeContext, runNode } from '../test/run-node.ts';
import type { FileVideo } from '../values/video.ts';
import { imageToVideo } from './image-to-video.ts';
import { gray, inlinePicture, KEY } from './test/pictures.ts';
import { scriptedService } from './test/scripted-service.ts';
import { textToVideo } from './text-to-video.ts';

const TEXT = '/proxy/videovendor/text2video';
const IMAGE = '/proxy/videovendor/img2video';
const { file, shape } = videoFixture('h264.mp4');
const clip = Buffer.from(file, 'base64');
const withKey = () => nodeContext({ hidden: { apiKey: KEY } });

test('text to video gives a video whose frames others can read', async () => {
  await using service = await scriptedService({ video: clip, progress: [0, 35, 20, 80] });
  using context = withKey();
  const inputs = { model: 'clipq3-pro', prompt: 'a fox in the snow' };
  const { outputs, ui } = await runNode(textToVideo, inputs, context);
  const video = outputs[0] as FileVideo;
  assert.equal(video.kind, 'file');
  assert.equal(video.ref.folder, 'temp');
  const { images } = await componentsOf(video, context);
  assert.deepEqual([images.batch, images.height, images.width], shape);
  assert.deepEqual(service.to(`POST ${TEXT}`)[0]?.json, inputs);
  assert.deepEqual(
    context.progressed.slice(0, 4),
    [35, 80, 99, 100].map((value) => [value, 100]),
    'as the service says, but never back',
  );
  assert.ok(context.texts.some((text) => /^Status: running\nPrice: 100 credits\nElapsed: \d+ s$/.test(text)));
  assert.deepEqual(ui, {
    images: [{ filename: video.ref.name, subfolder: '', type: 'temp' }],
    animated: [true],
  });
  assert.deepEqual(readFileSync(join(context.folder, 'temp', video.ref.name)), clip);
});

test('every setting of a video goes out under its name, and what is auto or empty does not', async () => {
  await using service = await scriptedService({ video: clip });
  using context = withKey();
  const said = {
    model: 'clipq1',
    prompt: 'rain',
    aspect_ratio: '1:1',
    duration: 5,
    seed: 7,
    style: 'anime',
    movement_amplitude: 'large',
    bgm: true,
    off_peak: true,
    meta_data: '{"a":1}',
    payload: 'mine',
    callback_url: 'https://example.com/told',
  };
  const inputs = {
    ...said,
    resolution: '1080p',
    audio: 'on',
    audio_type: 'speech_only',
    enhance: true,
    priority: 2,
    watermark: true,
    wm_position: 'top-right',
    wm_url: 'https://example.com/mark.png',
  };
  await runNode(textToVideo, inputs, context);
  assert.deepEqual(service.tasks[0]?.request.json, {
    ...said,
    resolution: '1080p',
    audio: true,
    audio_type: 'speech_only',
    enhance: true,
    priority: 2,
    watermark: true,
    wm_position: 2,
    wm_url: 'https://example.com/mark.png',
  });
  assert.ok(
    service.to('GET /results/')[0]?.path.endsWith('?marked'),
    'the video with the watermark is taken',
  );

  const quiet = {
    ...inputs,
    resolution: 'auto',
    audio: 'off',
    enhance: false,
    priority: 0,
    watermark: false,
    payload: '',
  };
  await runNode(textToVideo, quiet, context);
  const { payload: _payload, ...rest } = said;
  assert.deepEqual(service.tasks[1]?.request.json, { ...rest, audio: false, watermark: false });
  assert.ok(service.to('GET /results/')[1]?.path.endsWith('/task-2'));
});

test('image to video sends the start frame', async () => {
  await using service = await scriptedService({ video: clip });
  using context = withKey();
  const inputs = { image: gray([77]), model: 'clipq2-pro', prompt: '', is_rec: true, voice_id: 'alto' };
  const { outputs } = await runNode(imageToVideo, { ...inputs, audio: 'auto' }, context);
  assert.equal((outputs[0] as FileVideo).kind, 'file');
  const { images, ...settings } = service.to(`POST ${IMAGE}`)[0]?.json ?? {};
  assert.ok(Array.isArray(images) && images.length === 1 && inlinePicture(images[0]).length > 0);
  assert.deepEqual(settings, { model: 'clipq2-pro', prompt: '', is_rec: true, voice_id: 'alto' });
});

test('image to video takes exactly one picture', async () => {
  await using service = await scriptedService();
  using context = withKey();
  const inputs = { image: gray([1, 2]), model: 'clipq2-pro', prompt: '' };
  await assert.rejects(runNode(imageToVideo, inputs, context), /Exactly one picture/);
  assert.deepEqual(service.requests, []);
});

test('a result that is not a video is told as such, and is not kept', async () => {
  await using _service = await scriptedService({ video: Buffer.from('no video at all') });
  using context = withKey();
  await assert.rejects(runNode(textToVideo, { model: 'clipq1', prompt: 'x' }, context), (error) => {
    assert.ok(error instanceof NodeError);
    assert.match(error.message, /^The result cannot be read as video/);
    return true;
  });
  const kept = readdirSync(join(context.folder, 'temp'), { withFileTypes: true });
  assert.deepEqual(
    kept.filter((entry) => entry.isFile()),
    [],
  );
});
