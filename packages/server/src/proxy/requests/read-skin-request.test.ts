import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { startRequestRoutes } from './test/request-routes.ts';

const send = startRequestRoutes({ credits: 7 });
const image = 'https://example.com/face.png';

describe('a skin enhancer request', () => {
  for (const [mode, settings] of [
    ['creative', { sharpen: 0, smart_grain: 2 }],
    ['faithful', { sharpen: 0, smart_grain: 2, skin_detail: 80 }],
    ['flexible', { sharpen: 0, smart_grain: 2, optimized_for: 'enhance_skin' }],
  ] as const) {
    it(`needs only an image; ${mode} has these defaults: ${JSON.stringify(settings)}`, async () => {
      const { status, body } = await send(mode, { image });
      assert.equal(status, 200);
      const { seed, ...rest } = body;
      assert.deepEqual(rest, {
        kind: `skin-${mode}`,
        settings,
        pictures: [{ field: 'image', value: image }],
        credits: 7,
        offPeak: false,
        shown: {},
      });
      assert.ok(Number.isInteger(seed) && Number(seed) > 0);
    });
  }

  it('keeps what was chosen, and drops what its mode does not know', async () => {
    const asked = {
      image,
      sharpen: 100,
      smart_grain: 0,
      skin_detail: 1,
      optimized_for: 'no_make_up',
      more: 1,
    };
    const settings = async (mode: 'creative' | 'faithful' | 'flexible') =>
      (await send(mode, asked)).body['settings'];
    assert.deepEqual(await settings('creative'), { sharpen: 100, smart_grain: 0 });
    assert.deepEqual(await settings('faithful'), { sharpen: 100, smart_grain: 0, skin_detail: 1 });
    assert.deepEqual(await settings('flexible'), {
      sharpen: 100,
      smart_grain: 0,
      optimized_for: 'no_make_up',
    });
  });

  it('names the field of its webhook', async () => {
    const { body } = await send('faithful', { image, webhook_url: 'https://example.com/hook' });
    assert.deepEqual(body['webhook'], { field: 'webhook_url', url: 'https://example.com/hook' });
  });
});
