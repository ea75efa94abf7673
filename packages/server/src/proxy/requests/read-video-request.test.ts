import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  VIDEO_ASPECT_RATIOS,
  VIDEO_MODEL_ALIASES,
  VIDEO_MODELS,
  VIDEO_RESOLUTIONS,
} from '@atelier/contracts';
import * as fc from 'fast-check';

import { AppError } from '../../platform/errors/app-error.ts';
import { readVideoRequest } from './read-video-request.ts';
import { startRequestRoutes } from './test/request-routes.ts';
import type { VideoSettings } from './video-settings.ts';

const send = startRequestRoutes();
const images = ['https://example.com/start.png'];
const prompt = 'a fox in the snow';

async function read(body: object): Promise<Record<string, unknown>> {
  const answer = await send('text2video', body);
  assert.equal(answer.status, 200, String(answer.body['message']));
  return answer.body;
}

async function settingsOf(body: object): Promise<VideoSettings> {
  return (await read(body))['settings'] as VideoSettings;
}

describe('a video request', () => {
  it('of text alone has the defaults of the q3 model, including sound', async () => {
    const { seed, settings, ...rest } = await read({ model: 'clipq3-pro', prompt });
    assert.ok(Number.isInteger(seed) && Number(seed) > 0 && Number(seed) <= 2_147_483_647);
    assert.deepEqual(settings, {
      model: 'clipq3-pro',
      prompt,
      duration: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      seed,
      style: 'general',
      movement_amplitude: 'auto',
      audio: true,
      audio_type: 'all',
      bgm: false,
      is_rec: false,
      off_peak: false,
      watermark: false,
      wm_position: 3,
    });
    assert.deepEqual(rest, {
      kind: 'video',
      pictures: [],
      credits: 100,
      offPeak: false,
      shown: { model: 'clipq3-pro', style: 'general', movement_amplitude: 'auto' },
    });
  });

  for (const [model, duration, resolution, audio, credits] of [
    ['clipq3-pro', 5, '720p', true, 100],
    ['clipq2-pro-fast', 5, '720p', false, 16],
    ['clipq2-pro', 5, '720p', false, 55],
    ['clipq2-turbo', 5, '720p', false, 40],
    ['clipq1', 5, '1080p', false, 80],
    ['clipq1-classic', 5, '1080p', false, 80],
    ['clip2.0', 4, '360p', false, 20],
  ] as const) {
    it(`of an image alone is ${duration} s in ${resolution} for ${credits} credits on ${model}`, async () => {
      for (const route of ['text2video', 'img2video'] as const) {
        const { body } = await send(route, { model, images });
        const settings = body['settings'] as VideoSettings;
        assert.deepEqual(
          [settings.duration, settings.resolution, settings.audio, settings.prompt, body['credits']],
          [duration, resolution, audio, '', credits],
        );
        assert.deepEqual(body['pictures'], [{ field: 'images', value: images[0] }]);
      }
    });
  }

  it('keeps its seed, and 0 means any', async () => {
    const seedOf = async (seed: number) => (await settingsOf({ model: 'clipq1', prompt, seed })).seed;
    assert.equal(await seedOf(1), 1);
    assert.equal(await seedOf(2_147_483_647), 2_147_483_647);
    assert.notEqual(await seedOf(0), 0);
  });

  it('may use the public name of its model, which answers repeat, if the setting allows it', async () => {
    const body = await read({ model: 'viduq1', prompt });
    assert.equal((body['settings'] as VideoSettings).model, 'clipq1');
    assert.equal((body['shown'] as Record<string, unknown>)['model'], 'viduq1');
    const refused = await startRequestRoutes({ acceptAliases: false })('text2video', {
      model: 'viduq1',
      prompt,
    });
    assert.equal(refused.status, 400);
    assert.match(
      String(refused.body['message']),
      /model must be equal to one of the allowed values: clipq3-pro, /,
    );
    assert.doesNotMatch(String(refused.body['message']), /vidu/);
  });

  it('passes on what only its vendor understands', async () => {
    const more = { enhance: false, priority: -2_147_483_648, meta_data: '{"order": 7}' };
    const settings = await settingsOf({ model: 'clipq1', prompt, ...more });
    assert.deepEqual({ ...settings, ...more }, settings);
  });

  it('keeps payload and callback out of the settings', async () => {
    const callback_url = 'http://example.com/hook';
    const { settings, payload, webhook } = await read({
      model: 'clipq1',
      prompt,
      payload: '📦',
      callback_url,
    });
    assert.equal(payload, '📦');
    assert.deepEqual(webhook, { field: 'callback_url', url: callback_url });
    assert.ok(!JSON.stringify(settings).includes('📦'));
  });

  it('has the mark as a picture only when a watermark is wanted', async () => {
    const wm_url = 'https://example.com/mark.png';
    const marked = await read({ model: 'clipq1', prompt, watermark: true, wm_position: 1, wm_url });
    assert.deepEqual(marked['pictures'], [{ field: 'wm_url', value: wm_url }]);
    assert.equal((marked['settings'] as VideoSettings).wm_position, 1);
    assert.deepEqual((await read({ model: 'clipq1', prompt, wm_url }))['pictures'], []);
  });

  it('off-peak says so and costs half', async () => {
    const { offPeak, credits } = await read({ model: 'clipq1', prompt, off_peak: true, is_rec: true });
    assert.equal(offPeak, true);
    assert.equal(credits, 40 + 10);
  });
});

describe('fields without an effect on a model are accepted and ignored', () => {
  const all = {
    style: 'anime',
    movement_amplitude: 'large',
    audio: true,
    audio_type: 'speech_only',
    bgm: true,
    voice_id: 'v',
  };

  for (const [title, request, expected] of [
    [
      'q3: only sound counts',
      { model: 'clipq3-pro', prompt },
      { style: 'general', movement_amplitude: 'auto', audio: true, audio_type: 'all', bgm: false },
    ],
    [
      'q2: sound, its type, voice and music count',
      { model: 'clipq2-pro', images },
      {
        style: 'general',
        movement_amplitude: 'auto',
        audio: true,
        audio_type: 'speech_only',
        bgm: true,
        voice_id: 'v',
      },
    ],
    [
      'q1 of text: style, movement and music count',
      { model: 'clipq1', prompt },
      { style: 'anime', movement_amplitude: 'large', audio: false, audio_type: 'all', bgm: true },
    ],
    [
      'q1 of an image: all but style counts',
      { model: 'clipq1', images },
      {
        style: 'general',
        movement_amplitude: 'large',
        audio: true,
        audio_type: 'speech_only',
        bgm: true,
        voice_id: 'v',
      },
    ],
    [
      'q1 classic: all but style counts',
      { model: 'clipq1-classic', images },
      {
        style: 'general',
        movement_amplitude: 'large',
        audio: true,
        audio_type: 'speech_only',
        bgm: true,
        voice_id: 'v',
      },
    ],
    [
      '2.0: all but style counts',
      { model: 'clip2.0', images, duration: 8 },
      {
        style: 'general',
        movement_amplitude: 'large',
        audio: true,
        audio_type: 'speech_only',
        bgm: true,
        voice_id: 'v',
      },
    ],
  ] as const) {
    it(title, async () => {
      const { style, movement_amplitude, audio, audio_type, bgm, voice_id } = await settingsOf({
        ...request,
        ...all,
      });
      const got = { style, movement_amplitude, audio, audio_type, bgm, ...(voice_id && { voice_id }) };
      assert.deepEqual(got, expected);
    });
  }

  it('answers repeat what was asked for', async () => {
    const { shown } = await read({ model: 'clipq3-pro', prompt, ...all });
    assert.deepEqual(shown, { model: 'clipq3-pro', style: 'anime', movement_amplitude: 'large' });
  });

  it('music counts on the q2 models up to 8 seconds, and is free beyond', async () => {
    const credits = async (duration: number, bgm: boolean) =>
      (await read({ model: 'clipq2-pro-fast', images, duration, bgm }))['credits'];
    assert.equal(await credits(8, true), 22 + 15);
    assert.equal(await credits(9, true), await credits(9, false));
    assert.equal(await credits(10, true), await credits(10, false));
  });

  it('sound can be declined, and its type and voice with it', async () => {
    const { audio, audio_type, voice_id } = await settingsOf({
      model: 'clipq2-pro',
      images,
      ...all,
      audio: false,
    });
    assert.deepEqual([audio, audio_type, voice_id], [false, 'all', undefined]);
    assert.equal((await settingsOf({ model: 'clipq3-pro', prompt, audio: false })).audio, false);
  });

  it('sound costs 15 on the q2 models and nothing on others', async () => {
    const credits = async (model: string) => (await read({ model, images, audio: true }))['credits'];
    assert.equal(await credits('clipq2-turbo'), 55);
    assert.equal(await credits('clipq1'), 80);
    assert.equal(await credits('clipq3-pro'), 100);
  });
});

describe('any video request that fits the schema', () => {
  const requests = fc.record(
    {
      model: fc.constantFrom(...VIDEO_MODELS, ...VIDEO_MODEL_ALIASES),
      prompt: fc.constantFrom('', ' ', prompt),
      images: fc.constantFrom([], images),
      duration: fc.integer({ min: 1, max: 16 }),
      resolution: fc.constantFrom(...VIDEO_RESOLUTIONS),
      aspect_ratio: fc.constantFrom(...VIDEO_ASPECT_RATIOS),
      seed: fc.nat(),
      audio: fc.boolean(),
      bgm: fc.boolean(),
      is_rec: fc.boolean(),
      off_peak: fc.boolean(),
      meta_data: fc.constantFrom('{}', '{'),
    },
    { requiredKeys: ['model'] },
  );

  it('is read, with a positive whole price, or refused with sentences that name its fields', () => {
    const told = new Set<string>();
    let accepted = 0;
    fc.assert(
      fc.property(requests, fc.boolean(), (body, needsImage) => {
        try {
          const { credits, settings } = readVideoRequest(body, { needsImage, acceptAliases: true });
          assert.ok(Number.isSafeInteger(credits) && credits > 0);
          assert.ok(!Object.values(settings).includes(undefined));
          accepted++;
        } catch (error) {
          assert.ok(error instanceof AppError && error.details.length > 0);
          for (const detail of error.details) told.add(detail.split(' ', 1)[0] ?? '');
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(accepted > 0);
    assert.deepEqual([...told].toSorted(), [
      'aspect_ratio',
      'duration',
      'images',
      'meta_data',
      'prompt',
      'resolution',
    ]);
  });
});
