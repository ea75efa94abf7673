import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { RelightRequest, SkinFaithfulRequest, VideoTaskRequest } from '@atelier/contracts';

import { createValidatorCompiler } from '../../platform/http/validation.ts';
import { type RequestRoute, startRequestRoutes } from './test/request-routes.ts';

const send = startRequestRoutes();
const image = 'https://example.com/face.png';
const images = [image];
const prompt = 'a fox in the snow';
const q3 = { model: 'clipq3-pro', prompt };

type Row = readonly [route: RequestRoute, problem: string, body: object];

const FAITHFUL: readonly Row[] = [
  ['faithful', "body must have required property 'image'", {}],
  ['faithful', 'image must be string', { image: 7 }],
  ['faithful', 'image must be a picture', { image: '' }],
  ['faithful', 'sharpen must be <= 100', { image, sharpen: 101 }],
  ['faithful', 'sharpen must be >= 0', { image, sharpen: -1 }],
  ['faithful', 'sharpen must be integer', { image, sharpen: '50' }],
  ['faithful', 'sharpen must be integer', { image, sharpen: 1.5 }],
  ['faithful', 'sharpen must be integer', { image, sharpen: true }],
  ['faithful', 'skin_detail must be <= 100', { image, skin_detail: 101 }],
  ['faithful', 'smart_grain must be <= 100', { image, smart_grain: 1000 }],
  ['faithful', 'webhook_url must be an http or https URL', { image, webhook_url: 'here' }],
  [
    'faithful',
    'webhook_url must be an http or https URL',
    { image, webhook_url: `http://a/${'b'.repeat(4088)}` },
  ],
  ['faithful', 'webhook_url must be an http or https URL', { image, webhook_url: 'ftp://example.com/a' }],
  ['faithful', 'webhook_url must be an http or https URL', { image, webhook_url: 'https://a b' }],
  ['creative', 'smart_grain must be integer', { image, smart_grain: '2' }],
  [
    'flexible',
    'optimized_for must be equal to one of the allowed values: enhance_skin, ',
    { image, optimized_for: 'beauty' },
  ],
];

const RELIGHT: readonly Row[] = [
  ['relight', "body must have required property 'image'", { prompt }],
  ['relight', 'image must be a picture', { image: '' }],
  ['relight', 'transfer_light_from_lightmap must be a picture', { image, transfer_light_from_lightmap: '' }],
  [
    'relight',
    'transfer_light_from_lightmap must not be given together with transfer_light_from_reference_image',
    { image, transfer_light_from_lightmap: image, transfer_light_from_reference_image: image },
  ],
  [
    'relight',
    'prompt must have weights from 1 to 1.4: "rim light" has 1.9',
    { image, prompt: '(rim light:1.9)' },
  ],
  ['relight', 'prompt must NOT have more than 10000 characters', { image, prompt: 'a'.repeat(10_001) }],
  ['relight', 'light_transfer_strength must be <= 100', { image, light_transfer_strength: 101 }],
  ['relight', 'light_transfer_strength must be integer', { image, light_transfer_strength: '100' }],
  ['relight', 'change_background must be boolean', { image, change_background: 'true' }],
  ['relight', 'style must be equal to one of the allowed values: standard, ', { image, style: 'Standard' }],
  ['relight', 'advanced_settings must be object', { image, advanced_settings: 50 }],
  ['relight', 'advanced_settings.whites must be <= 100', { image, advanced_settings: { whites: 101 } }],
  ['relight', 'advanced_settings.blacks must be >= 0', { image, advanced_settings: { blacks: -1 } }],
  ['relight', 'advanced_settings.contrast must be integer', { image, advanced_settings: { contrast: 1.5 } }],
  [
    'relight',
    'advanced_settings.engine must be equal to one of',
    { image, advanced_settings: { engine: 'warm' } },
  ],
  [
    'relight',
    'advanced_settings.transfer_light_a must be equal to one of',
    { image, advanced_settings: { transfer_light_a: 'max' } },
  ],
  [
    'relight',
    'advanced_settings.transfer_light_b must be equal to one of',
    { image, advanced_settings: { transfer_light_b: 'max' } },
  ],
];

const VIDEO: readonly Row[] = [
  ['text2video', "body must have required property 'model'", { prompt }],
  [
    'text2video',
    'model must be equal to one of the allowed values: clipq3-pro, ',
    { model: 'clipq4', prompt },
  ],
  ['text2video', 'prompt must say what is to be seen', { model: 'clipq3-pro' }],
  ['text2video', 'prompt must say what is to be seen', { model: 'clipq1', prompt: ' \n' }],
  ['text2video', 'prompt must say what is to be seen', { model: 'clipq1', images: [] }],
  ['text2video', 'prompt must NOT have more than 2000 characters', { ...q3, prompt: 'a'.repeat(2001) }],
  [
    'text2video',
    'payload must NOT have more than 1048576 characters',
    { ...q3, payload: 'a'.repeat(1_048_577) },
  ],
  ['text2video', 'meta_data must be JSON', { ...q3, meta_data: 'order: 7' }],
  ['text2video', 'meta_data must be JSON', { ...q3, meta_data: '' }],
  ['text2video', 'meta_data must be string', { ...q3, meta_data: {} }],
  ['text2video', 'images must NOT have more than 1 items', { ...q3, images: [image, image] }],
  ['text2video', 'images.0 must be string', { ...q3, images: [1] }],
  ['text2video', 'images must be a picture', { ...q3, images: [''] }],
  ['img2video', 'images must NOT have more than 1 items', { ...q3, images: [image, image] }],
  ['img2video', 'images must have exactly one image', q3],
  ['img2video', 'images must have exactly one image', { ...q3, images: [] }],
  ['text2video', 'seed must be >= 0', { ...q3, seed: -1 }],
  ['text2video', 'seed must be <= 2147483647', { ...q3, seed: 2_147_483_648 }],
  ['text2video', 'wm_position must be <= 4', { ...q3, wm_position: 5 }],
  ['text2video', 'wm_position must be >= 1', { ...q3, wm_position: 0 }],
  ['text2video', 'wm_url must be an http or https URL', { ...q3, wm_url: 'mark.png' }],
  ['text2video', 'priority must be <= 2147483647', { ...q3, priority: 2_147_483_648 }],
  [
    'text2video',
    'style must be equal to one of the allowed values: general, anime',
    { ...q3, style: 'manga' },
  ],
  ['text2video', 'movement_amplitude must be equal to one of', { ...q3, movement_amplitude: 'huge' }],
  ['text2video', 'audio_type must be equal to one of', { ...q3, audio_type: 'music' }],
  ['text2video', 'audio must be boolean', { ...q3, audio: 1 }],
  ['text2video', 'callback_url must be an http or https URL', { ...q3, callback_url: '//example.com' }],
  ['text2video', 'duration must be integer', { ...q3, duration: '5' }],
  ['text2video', 'duration must be integer', { ...q3, duration: 5.5 }],
  ['text2video', 'duration must be <= 16', { ...q3, duration: 17 }],
  ['text2video', 'duration must be >= 1', { ...q3, duration: 0 }],
  [
    'text2video',
    'duration must be from 1 to 10 for clipq2-pro-fast',
    { model: 'clipq2-pro-fast', images, duration: 11 },
  ],
  ['text2video', 'duration must be from 1 to 8 for clipq2-pro', { model: 'clipq2-pro', images, duration: 9 }],
  [
    'text2video',
    'duration must be from 1 to 8 for viduq2-turbo',
    { model: 'viduq2-turbo', images, duration: 9 },
  ],
  ['text2video', 'duration must be 5 for clipq1', { model: 'clipq1', prompt, duration: 4 }],
  ['text2video', 'duration must be 5 for clipq1-classic', { model: 'clipq1-classic', images, duration: 6 }],
  ['text2video', 'duration must be 4 or 8 for clip2.0', { model: 'clip2.0', images, duration: 5 }],
  ['text2video', 'resolution must be equal to one of', { ...q3, resolution: '4K' }],
  [
    'text2video',
    'resolution must be one of 720p, 540p, 1080p for clipq3-pro without an image',
    { ...q3, resolution: '2K' },
  ],
  ['text2video', 'resolution must be one of 720p, 540p, 1080p for clipq3-pro', { ...q3, resolution: '360p' }],
  [
    'text2video',
    'resolution must be one of 720p, 1080p for clipq2-pro-fast',
    { model: 'clipq2-pro-fast', images, resolution: '540p' },
  ],
  [
    'text2video',
    'resolution must be one of 720p, 540p, 1080p for clipq2-pro',
    { model: 'clipq2-pro', images, resolution: '2K' },
  ],
  ['text2video', 'resolution must be 1080p for clipq1', { model: 'clipq1', prompt, resolution: '720p' }],
  [
    'text2video',
    'resolution must be one of 360p, 720p, 1080p for clip2.0',
    { model: 'clip2.0', images, resolution: '540p' },
  ],
  [
    'text2video',
    'resolution must be 720p for clip2.0 at 8 seconds',
    { model: 'clip2.0', images, duration: 8, resolution: '1080p' },
  ],
  ['text2video', 'aspect_ratio must be equal to one of', { ...q3, aspect_ratio: '21:9' }],
  [
    'text2video',
    'aspect_ratio must be one of 16:9, 9:16, 1:1 for clipq1',
    { model: 'clipq1', prompt, aspect_ratio: '3:4' },
  ],
  [
    'text2video',
    'aspect_ratio must be one of 16:9, 9:16, 1:1 for clip2.0',
    { model: 'clip2.0', images, aspect_ratio: '4:3' },
  ],
  ...['clipq2-pro-fast', 'clipq2-pro', 'clipq2-turbo', 'clipq1-classic', 'clip2.0'].map(
    (model): Row => [
      'text2video',
      `images must have one image: ${model} makes videos of images only`,
      { model, prompt },
    ],
  ),
];

describe('refused with 400 and a sentence that names the field', () => {
  for (const [route, problem, body] of [...FAITHFUL, ...RELIGHT, ...VIDEO]) {
    it(`${route}: ${problem} (${JSON.stringify(body).slice(0, 80)})`, async () => {
      const answer = await send(route, body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body['error'], 'request.invalid');
      const message = String(answer.body['message']);
      assert.ok(message.startsWith(`The body is not valid: ${problem}`), message);
    });
  }

  it('reports all problems of a video', async () => {
    const { body } = await send('text2video', {
      model: 'clip2.0',
      duration: 5,
      resolution: '2K',
      aspect_ratio: '3:4',
      meta_data: '{',
    });
    assert.equal(
      body['message'],
      'The body is not valid: images must have one image: clip2.0 makes videos of images only; ' +
        'duration must be 4 or 8 for clip2.0; resolution must be one of 360p, 720p, 1080p for clip2.0; ' +
        'aspect_ratio must be one of 16:9, 9:16, 1:1 for clip2.0; ' +
        'meta_data must be JSON as text, such as {"order": 7}.',
    );
  });
});

describe('just within bounds', () => {
  for (const [title, route, body] of [
    ['2000 characters that are two units each', 'text2video', { ...q3, prompt: '🦊'.repeat(2000) }],
    ['a payload of 1048576 characters', 'text2video', { ...q3, payload: 'é'.repeat(1_048_576) }],
    ['2K of an image', 'img2video', { ...q3, images, resolution: '2K', duration: 16 }],
    ['3:4 on q2 and q3', 'text2video', { ...q3, aspect_ratio: '3:4' }],
    ['16 seconds', 'text2video', { ...q3, duration: 16 }],
    ['meta_data that is JSON but no object', 'text2video', { ...q3, meta_data: 'null' }],
    ['0 and 100', 'faithful', { image, sharpen: 0, skin_detail: 100, smart_grain: 100 }],
    ['a whole number with a point', 'faithful', { image, sharpen: 5.0 }],
    ['a URL of 4096 characters', 'faithful', { image, webhook_url: `HTTPS://${'a'.repeat(4088)}` }],
    ['unknown fields', 'relight', { image, unknown: { deep: [1] } }],
    [
      'strong_mid, which public clients hide',
      'relight',
      { image, advanced_settings: { transfer_light_b: 'strong_mid' } },
    ],
  ] as const) {
    it(`is accepted: ${title}`, async () => {
      assert.equal((await send(route, body)).status, 200);
    });
  }
});

describe('schemas', () => {
  it('refuse megabytes where a URL is expected, and do not run out of stack', () => {
    const validate = createValidatorCompiler()({
      schema: SkinFaithfulRequest,
      method: 'POST',
      url: '/',
      httpPart: 'body',
    });
    assert.equal(validate({ image, webhook_url: `https://example.com/${'a'.repeat(30_000_000)}` }), false);
  });

  it('do not read pictures, which may be 70 MB of text', () => {
    const pictures = [
      SkinFaithfulRequest.properties.image,
      RelightRequest.properties.image,
      RelightRequest.properties.transfer_light_from_lightmap,
      RelightRequest.properties.transfer_light_from_reference_image,
      VideoTaskRequest.properties.images.items,
    ];
    for (const schema of pictures) {
      for (const key of ['format', 'pattern', 'minLength', 'maxLength']) assert.ok(!(key in schema), key);
    }
  });
});
