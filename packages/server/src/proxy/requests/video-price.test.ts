import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VIDEO_MODELS, type VideoModel, type VideoResolution } from '@atelier/contracts';
import * as fc from 'fast-check';

import { resolutionsFor, VIDEO_MODEL_RULES } from './video-models.ts';
import { type PricedVideo, priceOfVideo } from './video-price.ts';

type Row = readonly [
  model: VideoModel,
  resolution: VideoResolution,
  credits: Readonly<Record<number, number>>,
];

/** Credits by seconds. */
const ROWS: readonly Row[] = [
  ['clipq3-pro', '540p', { 1: 9, 5: 45, 16: 144 }],
  ['clipq3-pro', '720p', { 1: 20, 5: 100, 16: 320 }],
  ['clipq3-pro', '1080p', { 1: 24, 5: 120, 16: 384 }],
  ['clipq3-pro', '2K', { 1: 40, 5: 200, 16: 640 }],
  ['clipq2-pro-fast', '720p', { 1: 8, 2: 10, 5: 16, 10: 26 }],
  ['clipq2-pro-fast', '1080p', { 1: 16, 2: 20, 5: 32, 10: 52 }],
  ['clipq2-pro', '540p', { 1: 8, 2: 10, 3: 15, 5: 25, 8: 40 }],
  ['clipq2-pro', '720p', { 1: 15, 2: 25, 5: 55, 8: 85 }],
  ['clipq2-pro', '1080p', { 1: 55, 2: 70, 5: 115, 8: 160 }],
  ['clipq2-turbo', '540p', { 1: 6, 2: 8, 5: 14, 8: 20 }],
  ['clipq2-turbo', '720p', { 1: 8, 2: 10, 3: 20, 5: 40, 8: 70 }],
  ['clipq2-turbo', '1080p', { 1: 35, 2: 45, 5: 75, 8: 105 }],
  ['clipq1', '1080p', { 5: 80 }],
  ['clipq1-classic', '1080p', { 5: 80 }],
  ['clip2.0', '360p', { 4: 20 }],
  ['clip2.0', '720p', { 4: 40, 8: 100 }],
  ['clip2.0', '1080p', { 4: 100 }],
];

const plain = { audio: false, bgm: false, is_rec: false, off_peak: false };

/** Every video that may be asked for. */
const videos: fc.Arbitrary<PricedVideo> = fc
  .record({ model: fc.constantFrom(...VIDEO_MODELS), hasImage: fc.boolean() })
  .chain(({ model, hasImage }) => {
    const rules = VIDEO_MODEL_RULES[model];
    return fc.constantFrom(...rules.durations).chain((duration) =>
      fc.record({
        model: fc.constant(model),
        duration: fc.constant(duration),
        resolution: fc.constantFrom(...resolutionsFor(rules, { duration, hasImage })),
        audio: fc.boolean(),
        bgm: fc.boolean(),
        is_rec: fc.boolean(),
        off_peak: fc.boolean(),
      }),
    );
  });

describe('price of a video', () => {
  for (const [model, resolution, credits] of ROWS) {
    it(`of ${model} in ${resolution} is that of the table`, () => {
      for (const [seconds, expected] of Object.entries(credits)) {
        assert.equal(priceOfVideo({ ...plain, model, resolution, duration: Number(seconds) }), expected);
      }
    });
  }

  it('exists for every model, duration and resolution that can be requested', () => {
    const priced = new Set(ROWS.map(([model, resolution]) => `${model} ${resolution}`));
    for (const model of VIDEO_MODELS) {
      const rules = VIDEO_MODEL_RULES[model];
      for (const duration of rules.durations) {
        for (const resolution of resolutionsFor(rules, { duration, hasImage: true })) {
          assert.ok(
            priced.delete(`${model} ${resolution}`) ||
              priceOfVideo({ ...plain, model, resolution, duration }) > 0,
          );
        }
      }
    }
    assert.deepEqual([...priced], []);
  });

  for (const [model, resolution, expected] of [
    ['clipq2-pro', '720p', 70],
    ['clipq2-turbo', '720p', 55],
    ['clipq2-pro-fast', '720p', 31],
    ['clipq3-pro', '720p', 100],
    ['clipq1', '1080p', 80],
    ['clipq1-classic', '1080p', 80],
  ] as const) {
    it(`with sound is ${expected} for 5 s of ${model} in ${resolution}`, () => {
      assert.equal(priceOfVideo({ ...plain, model, resolution, duration: 5, audio: true }), expected);
    });
  }

  it('is 15 more with music and 10 more with a recommended prompt', () => {
    const video = { ...plain, model: 'clipq1', resolution: '1080p', duration: 5 } as const;
    assert.equal(priceOfVideo({ ...video, bgm: true }), 95);
    assert.equal(priceOfVideo({ ...video, is_rec: true }), 90);
    assert.equal(priceOfVideo({ ...video, bgm: true, is_rec: true }), 105);
  });

  it('is halved off-peak and rounded up, without its extras', () => {
    const video = { ...plain, model: 'clipq2-pro', resolution: '540p', duration: 5, off_peak: true } as const;
    assert.equal(priceOfVideo(video), 13);
    assert.equal(priceOfVideo({ ...video, audio: true, bgm: true, is_rec: true }), 13 + 15 + 15 + 10);
  });

  it('is a positive whole number for every valid request, and off-peak never more than otherwise', () => {
    fc.assert(
      fc.property(videos, (video) => {
        const price = priceOfVideo(video);
        assert.ok(Number.isSafeInteger(price) && price > 0);
        assert.ok(priceOfVideo({ ...video, off_peak: true }) <= priceOfVideo({ ...video, off_peak: false }));
      }),
    );
  });

  it('that is missing is a bug', () => {
    assert.throws(
      () => priceOfVideo({ ...plain, model: 'clipq1', resolution: '360p', duration: 5 }),
      /no price/,
    );
  });
});
