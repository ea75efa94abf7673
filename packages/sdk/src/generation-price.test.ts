import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { priceOf } from './generation-price.ts';

const at = (duration: number, resolution: string, credits: number, needs_image = false) => ({
  duration,
  resolution,
  credits,
  off_peak_credits: Math.ceil(credits / 2),
  needs_image,
});
const PRICES = {
  images: { 'skin-enhancer': 3, 'image-relight': 4 },
  videos: [
    {
      model: 'clipq3-pro',
      prices: [at(1, '720p', 20), at(5, '720p', 100), at(5, '540p', 45), at(5, '2K', 200, true)],
      extras: { audio: 0, bgm: 0, is_rec: 10 },
    },
    {
      model: 'clip2.0',
      prices: [at(4, '360p', 21, true), at(8, '720p', 100, true)],
      extras: { audio: 15, bgm: 15, is_rec: 10 },
    },
  ],
};
const IMAGE = { images: ['x'] };

describe('the price of a generation', () => {
  it('is flat for pictures', () => {
    assert.equal(priceOf(PRICES, 'skin', {})?.credits, 3);
    assert.equal(priceOf(PRICES, 'relight', {})?.credits, 4);
  });

  it('is that of the duration and resolution that the model has by default', () => {
    assert.equal(priceOf(PRICES, 'video', { model: 'clipq3-pro' })?.credits, 100);
    assert.equal(priceOf(PRICES, 'video', { model: 'vidu2.0', ...IMAGE })?.credits, 21);
    assert.equal(priceOf(PRICES, 'video', { model: 'clipq3-pro', resolution: '540p' })?.credits, 45);
  });

  it('has extras, and half of the video itself off-peak', () => {
    const video = { model: 'clip2.0', ...IMAGE, audio: true, is_rec: true, off_peak: true };
    assert.deepEqual(priceOf(PRICES, 'video', video), { credits: 11 + 15 + 10, isUpperBound: false });
    const music = { model: 'clip2.0', ...IMAGE, bgm: true };
    assert.deepEqual(priceOf(PRICES, 'video', music), { credits: 36, isUpperBound: true });
  });

  it('is unknown for a model that the list does not have', () => {
    assert.equal(priceOf(PRICES, 'video', { model: 'clipq9' }), undefined);
  });

  it('is refused for what the model does not make, with what it makes', () => {
    for (const [video, message] of [
      [{ model: 'clip2.0', duration: 5, ...IMAGE }, /does not make videos of 5 seconds, but of 4, 8\./],
      [{ model: 'clip2.0', duration: 8, resolution: '360p', ...IMAGE }, /360p at 8 seconds, but 720p\./],
      [{ model: 'clipq3-pro', resolution: '2K' }, /needs a start frame/],
    ] as const) {
      assert.throws(() => priceOf(PRICES, 'video', video), message);
    }
  });
});
