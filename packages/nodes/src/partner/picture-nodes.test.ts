import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import sharp from 'sharp';
import { nodeContext, noiseImage, runNode } from '../test/run-node.ts';
import type { Image } from '../values/image.ts';
import { imageRelight } from './image-relight.ts';
import { skinEnhancer } from './skin-enhancer.ts';
import { gray, inlinePicture, KEY, levelsOf, negativeOf } from './test/pictures.ts';
import { answer, scriptedService } from './test/scripted-service.ts';

const SKIN = '/proxy/imagevendor/v1/ai/skin-enhancer';
const RELIGHT = '/proxy/imagevendor/v1/ai/image-relight';
const withKey = () => nodeContext({ hidden: { apiKey: KEY } });
const FAITHFUL = { mode: { choice: 'faithful', skin_detail: 70 }, sharpen: 5, smart_grain: 3 };
const PLAIN = {
  prompt: '',
  light_transfer_strength: 100,
  style: 'standard',
  interpolate_from_original: false,
  change_background: true,
  preserve_details: true,
  advanced_settings: { choice: 'disabled' },
};

const refusedWith =
  (sentence: RegExp, type = 'ValueError') =>
  (error: unknown) => {
    assert.ok(error instanceof NodeError, String(error));
    assert.equal(error.exceptionType, type);
    assert.match(error.message, sentence);
    return true;
  };

test('the skin enhancer sends the picture and gives what was made of it', async () => {
  await using service = await scriptedService({ picture: negativeOf });
  using context = withKey();
  const { outputs } = await runNode(skinEnhancer, { image: gray([200]), ...FAITHFUL }, context);
  const made = outputs[0] as Image;
  assert.deepEqual(levelsOf(made), [55]);
  assert.deepEqual([made.batch, made.height, made.width, made.channels], [1, 4, 6, 3]);

  const [create] = service.to(`POST ${SKIN}/faithful`);
  assert.ok(create);
  const { image, ...settings } = create.json;
  assert.deepEqual(settings, { sharpen: 5, smart_grain: 3, skin_detail: 70 });
  const { width, height, format } = await sharp(inlinePicture(image)).metadata();
  assert.deepEqual([width, height, format], [6, 4, 'png']);
  assert.equal(create.headers['x-api-key'], KEY);
  assert.match(String(create.headers['idempotency-key']), /^[0-9a-f]{64}$/);
  assert.ok(service.to(`GET ${SKIN}/task-1`).every(({ headers }) => headers['x-api-key'] === KEY));
  assert.deepEqual(context.progressed.at(-1), [100, 100]);
  assert.match(context.texts.join('\n'), /^Status: queued\nElapsed: 0 s\n/);
});

for (const [mode, path, own] of [
  [{ choice: 'creative' }, 'creative', {}],
  [{ choice: 'flexible', optimized_for: 'no_make_up' }, 'flexible', { optimized_for: 'no_make_up' }],
] as const) {
  test(`the skin enhancer has a route for the mode ${path}`, async () => {
    await using service = await scriptedService({ picture: negativeOf });
    using context = withKey();
    const inputs = { image: gray([0]), ...FAITHFUL, mode, webhook_url: 'https://example.com/told' };
    await runNode(skinEnhancer, inputs, context);
    const { image, ...settings } = service.to(`POST ${SKIN}/${path}`)[0]?.json ?? {};
    assert.ok(image);
    const webhook_url = 'https://example.com/told';
    assert.deepEqual(settings, { sharpen: 5, smart_grain: 3, webhook_url, ...own });
  });
}

test('each picture of a batch is a task of its own, and the results are in its order', async () => {
  await using service = await scriptedService({ picture: negativeOf, progress: [1] });
  using context = withKey();
  const levels = [10, 20, 30, 40, 50, 60];
  const { outputs } = await runNode(skinEnhancer, { image: gray(levels), ...FAITHFUL }, context);
  assert.deepEqual(
    levelsOf(outputs[0] as Image),
    levels.map((level) => 255 - level),
  );
  assert.equal(service.tasks.length, 6);
  assert.equal(new Set(service.tasks.map(({ request }) => request.headers['idempotency-key'])).size, 6);
  const done = context.progressed.map(([value]) => value);
  assert.deepEqual(
    done,
    done.toSorted((one, other) => one - other),
    'never back',
  );
  assert.deepEqual(context.progressed.at(-1), [600, 600]);
  assert.match(context.texts.at(-1) ?? '', /^Done: \d of 6$/m);
});

test('a batch of more pictures than anybody means to pay for is refused before anything is sent', async () => {
  await using service = await scriptedService();
  using context = withKey();
  const image = gray(Array.from({ length: 17 }, () => 1));
  await assert.rejects(
    runNode(skinEnhancer, { image, ...FAITHFUL }, context),
    refusedWith(/has 17 pictures.* at most 16/),
  );
  assert.deepEqual(service.requests, []);
});

test('the first failure of a batch ends the others, and is the one that is told', async () => {
  await using service = await scriptedService({ progress: Array.from({ length: 1000 }, () => 1) });
  using context = withKey();
  const error = { code: 'no_face', message: 'No face was found.' };
  const failed = { data: { task_id: 'x', status: 'FAILED', generated: [], error } };
  service.next(`GET ${SKIN}/task-3`, (_request, response) => answer(response, 200, failed));
  await assert.rejects(
    runNode(skinEnhancer, { image: gray([1, 2, 3, 4, 5, 6]), ...FAITHFUL }, context),
    refusedWith(/^The generation failed: No face was found\. Its credits were given back\.$/, 'TaskFailed'),
  );
  assert.equal(service.tasks.length, 4, 'no further one was bought');
});

test('a large picture is uploaded to its link, once, and named by it', async () => {
  await using service = await scriptedService({ picture: async () => await onePixel() });
  using context = withKey();
  const image = noiseImage({ height: 1100, width: 1400 });
  service.next('PUT ', (_request, response) => answer(response, 503, { error: 'busy', message: 'Later.' }));
  await runNode(skinEnhancer, { image, ...FAITHFUL }, context);
  const [announced] = service.to('POST /customers/storage');
  const [[path, bytes] = []] = service.uploads;
  assert.ok(announced && bytes && path !== undefined);
  assert.deepEqual(announced.json, {
    file_name: `${hash('sha256', bytes, 'hex').slice(0, 16)}.png`,
    content_type: 'image/png',
    file_hash: hash('sha256', bytes, 'hex'),
  });
  assert.equal((await sharp(bytes).metadata()).width, 1400);
  assert.equal(
    service.tasks[0]?.request.json['image'],
    `${service.url}${path.replace('sealed', 'signed=2')}`,
  );
  // Links are signed: whoever serves them has no business with the key.
  for (const put of service.to('PUT ')) assert.equal(JSON.stringify(put.headers).includes(KEY), false);
  assert.equal(service.to('PUT ').length, 2);

  await runNode(skinEnhancer, { image, ...FAITHFUL }, context);
  assert.equal(service.to('PUT ').length, 2, 'what is there already is not sent again');
  assert.equal(service.tasks.length, 2);

  await runNode(skinEnhancer, { image, ...FAITHFUL }, { ...context });
  const [first, , third] = service.to(`POST ${SKIN}`);
  assert.equal(service.tasks.length, 2, 'a job that begins anew finds the task that it has bought');
  assert.deepEqual(third?.bytes, first?.bytes);
});

test('relight sends every setting under its name', async () => {
  await using service = await scriptedService({ picture: negativeOf });
  using context = withKey();
  const advanced = {
    whites: 60,
    blacks: 40,
    brightness: 55,
    contrast: 45,
    saturation: 70,
    engine: 'fairy',
    transfer_light_a: 'high',
    transfer_light_b: 'soft_in',
    fixed_generation: true,
  };
  const inputs = {
    image: gray([100]),
    prompt: 'sunset, (rim light:1.3)',
    light_transfer_strength: 80,
    style: 'smooth',
    interpolate_from_original: true,
    change_background: false,
    preserve_details: false,
    advanced_settings: { choice: 'enabled', ...advanced },
    reference_image: gray([9]),
  };
  const { outputs } = await runNode(imageRelight, inputs, context);
  assert.deepEqual(levelsOf(outputs[0] as Image), [155]);
  const {
    image,
    transfer_light_from_reference_image: reference,
    ...settings
  } = service.to(`POST ${RELIGHT}`)[0]?.json ?? {};
  assert.ok(inlinePicture(image).length > 0 && inlinePicture(reference).length > 0);
  assert.deepEqual(settings, {
    prompt: 'sunset, (rim light:1.3)',
    light_transfer_strength: 80,
    style: 'smooth',
    interpolate_from_original: true,
    change_background: false,
    preserve_details: false,
    advanced_settings: advanced,
  });
});

test('relight takes a light map for each picture of a batch, and says nothing it was not told', async () => {
  await using service = await scriptedService({ picture: negativeOf });
  using context = withKey();
  const inputs = { image: gray([1, 2]), ...PLAIN, light_map: gray([9]) };
  const { outputs } = await runNode(imageRelight, inputs, context);
  assert.deepEqual(levelsOf(outputs[0] as Image), [254, 253]);
  for (const { json } of service.to(`POST ${RELIGHT}`)) {
    assert.deepEqual(Object.keys(json).toSorted(), [
      'change_background',
      'image',
      'interpolate_from_original',
      'light_transfer_strength',
      'preserve_details',
      'style',
      'transfer_light_from_lightmap',
    ]);
  }
});

test('relight refuses two sources of light, and a reference of several pictures, before anything is sent', async () => {
  await using service = await scriptedService();
  using context = withKey();
  const both = { image: gray([1]), ...PLAIN, reference_image: gray([2]), light_map: gray([3]) };
  await assert.rejects(runNode(imageRelight, both, context), refusedWith(/not both/));
  const several = { image: gray([1]), ...PLAIN, reference_image: gray([2, 3]) };
  await assert.rejects(runNode(imageRelight, several, context), refusedWith(/Exactly one picture.* has 2/));
  assert.deepEqual(service.requests, []);
});

for (const [what, bytes] of [
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('<html>oops</html>')],
  ['half a picture', (await onePixel()).subarray(0, 40)],
] as const) {
  test(`a result that is ${what} is told as such`, async () => {
    await using _service = await scriptedService({ picture: () => bytes });
    using context = withKey();
    await assert.rejects(runNode(skinEnhancer, { image: gray([1]), ...FAITHFUL }, context), (error) => {
      assert.ok(error instanceof NodeError);
      assert.match(error.message, /^The result /);
      return true;
    });
  });
}

async function onePixel(): Promise<Buffer> {
  return await sharp({ create: { width: 1, height: 1, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
}
