import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { startRequestRoutes } from './test/request-routes.ts';

const send = startRequestRoutes({ credits: 3 });
const image = 'https://example.com/face.png';
const light = 'https://example.com/light.png';

const ADVANCED = {
  whites: 50,
  blacks: 50,
  brightness: 50,
  contrast: 50,
  saturation: 50,
  engine: 'automatic',
  transfer_light_a: 'automatic',
  transfer_light_b: 'automatic',
  fixed_generation: false,
};

describe('a relight request', () => {
  it('needs only an image and has the defaults of the reference', async () => {
    const { status, body } = await send('relight', { image });
    assert.equal(status, 200);
    const { seed: _chosen, ...rest } = body;
    assert.deepEqual(rest, {
      kind: 'relight',
      settings: {
        prompt: '',
        light_transfer_strength: 100,
        interpolate_from_original: false,
        change_background: true,
        style: 'standard',
        preserve_details: true,
        advanced_settings: ADVANCED,
      },
      pictures: [{ field: 'image', value: image }],
      credits: 3,
      offPeak: false,
      shown: {},
    });
  });

  it('keeps what was chosen, fills in the other defaults, and drops unknown members', async () => {
    const { body } = await send('relight', {
      image,
      prompt: 'a (warm lamp:1.4) from the left (at 19:30)',
      light_transfer_strength: 0,
      change_background: false,
      advanced_settings: { engine: 'softy', whites: 0, unknown: 1 },
    });
    const settings = body['settings'] as Record<string, unknown>;
    assert.equal(settings['prompt'], 'a (warm lamp:1.4) from the left (at 19:30)');
    assert.equal(settings['light_transfer_strength'], 0);
    assert.equal(settings['change_background'], false);
    assert.deepEqual(settings['advanced_settings'], { ...ADVANCED, engine: 'softy', whites: 0 });
  });

  for (const field of ['transfer_light_from_reference_image', 'transfer_light_from_lightmap'] as const) {
    it(`may have its light from ${field}, beside a prompt`, async () => {
      const { status, body } = await send('relight', { image, [field]: light, prompt: 'dusk' });
      assert.equal(status, 200);
      assert.deepEqual(body['pictures'], [
        { field: 'image', value: image },
        { field, value: light },
      ]);
    });
  }

  it('may not have both sources of light', async () => {
    const { status, body } = await send('relight', {
      image,
      transfer_light_from_reference_image: light,
      transfer_light_from_lightmap: light,
    });
    assert.equal(status, 400);
    assert.equal(body['error'], 'request.invalid');
    assert.match(
      String(body['message']),
      /transfer_light_from_lightmap .*transfer_light_from_reference_image/,
    );
  });

  it('reports all its problems at once', async () => {
    const { body } = await send('relight', {
      image: '',
      prompt: '(a:2) (b:3)',
      transfer_light_from_reference_image: light,
      transfer_light_from_lightmap: light,
    });
    assert.equal(
      body['message'],
      'The body is not valid: image must be a picture: base64, a data URL or an https URL; ' +
        'transfer_light_from_lightmap must not be given together with transfer_light_from_reference_image; ' +
        'prompt must have weights from 1 to 1.4: "a" has 2; prompt must have weights from 1 to 1.4: "b" has 3.',
    );
  });
});
