import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GENERATION_FIELDS } from '@atelier/sdk';

import { studio as german } from '../../i18n/messages/de/studio.ts';
import { studio as english } from '../../i18n/messages/en/studio.ts';
import { buildRequest, problemOf } from './build-request.ts';
import { videoOptionsOf } from './video-options.ts';

const fields = Object.values(GENERATION_FIELDS).flat();

describe('the form of the studio', () => {
  it('has words for every field and choice of the API, in both languages', () => {
    for (const { fields: labels, choices } of [english, german]) {
      for (const { field, choices: words = [] } of fields) {
        assert.ok(field === 'images' || Object.hasOwn(labels, field), field);
        if (field === 'model' || field === 'resolution' || field === 'aspect_ratio') continue;
        for (const word of words) assert.ok(Object.hasOwn(choices, word), word);
      }
    }
  });

  it('sends what was chosen, in its place, with the bytes of pictures', async () => {
    const request = await buildRequest(
      GENERATION_FIELDS.relight,
      {
        prompt: 'moon',
        whites: 60,
        engine: undefined,
        webhook_url: '',
        transfer_light_from_lightmap: 'an id',
      },
      async (id) => `bytes of ${id}`,
    );
    assert.deepEqual(request, {
      prompt: 'moon',
      transfer_light_from_lightmap: 'bytes of an id',
      advanced_settings: { whites: 60 },
    });
  });

  it('finds what the server would refuse', () => {
    const address = { field: 'u', type: 'address', about: '', pattern: '^https://' } as const;
    assert.equal(problemOf(address, 'ftp://x'), 'pattern');
    assert.equal(problemOf(address, ''), undefined);
    const number = { field: 'n', type: 'integer', about: '', min: 0, max: 10 } as const;
    assert.equal(problemOf(number, 11), 'bounds');
    assert.equal(problemOf(number, 10), undefined);
  });

  it('offers the lengths and resolutions of the model, and more with a start frame', () => {
    const at = (duration: number, resolution: string, needs_image = false) => ({
      duration,
      resolution,
      needs_image,
      credits: 1,
      off_peak_credits: 1,
    });
    const extras = { audio: 0, bgm: 0, is_rec: 0 };
    const prices = {
      images: { 'skin-enhancer': 0, 'image-relight': 0 },
      videos: [
        { model: 'one', prices: [at(5, '720p'), at(5, '2K', true), at(6, '540p')], extras },
        { model: 'two', prices: [at(4, '360p', true), at(8, '720p', true)], extras },
      ],
    };
    const words = videoOptionsOf(prices, {}, false);
    assert.deepEqual([words.model, words.duration, words.resolutions], ['one', 5, ['720p']]);
    assert.deepEqual(videoOptionsOf(prices, {}, true).resolutions, ['720p', '2K']);
    assert.equal(videoOptionsOf(prices, { duration: 6, resolution: '2K' }, true).resolution, '540p');
    const two = videoOptionsOf(prices, { model: 'two', duration: 5 }, false);
    assert.deepEqual([two.needsImage, two.duration, two.durations], [true, 4, [4, 8]]);
  });
});
