import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VIDEO_MODELS } from '@atelier/contracts';

import { resolutionsFor, VIDEO_MODEL_RULES } from './video-models.ts';

/** Written out once more, so that a slip in the table shows. */
const EXPECTED = {
  'clipq3-pro': { first: 1, last: 16, count: 16, byDefault: 5, text: true, ratios: 5 },
  'clipq2-pro-fast': { first: 1, last: 10, count: 10, byDefault: 5, text: false, ratios: 5 },
  'clipq2-pro': { first: 1, last: 8, count: 8, byDefault: 5, text: false, ratios: 5 },
  'clipq2-turbo': { first: 1, last: 8, count: 8, byDefault: 5, text: false, ratios: 5 },
  clipq1: { first: 5, last: 5, count: 1, byDefault: 5, text: true, ratios: 3 },
  'clipq1-classic': { first: 5, last: 5, count: 1, byDefault: 5, text: false, ratios: 3 },
  'clip2.0': { first: 4, last: 8, count: 2, byDefault: 4, text: false, ratios: 3 },
};

const RESOLUTIONS = [
  ['clipq3-pro', 5, false, ['720p', '540p', '1080p']],
  ['clipq3-pro', 16, true, ['720p', '540p', '1080p', '2K']],
  ['clipq2-pro-fast', 10, true, ['720p', '1080p']],
  ['clipq2-pro', 8, true, ['720p', '540p', '1080p']],
  ['clipq2-turbo', 1, true, ['720p', '540p', '1080p']],
  ['clipq1', 5, false, ['1080p']],
  ['clipq1', 5, true, ['1080p']],
  ['clipq1-classic', 5, true, ['1080p']],
  ['clip2.0', 4, true, ['360p', '720p', '1080p']],
  ['clip2.0', 8, true, ['720p']],
] as const;

describe('rules of models', () => {
  for (const model of VIDEO_MODELS) {
    const { first, last, count, byDefault, text, ratios } = EXPECTED[model];
    const rules = VIDEO_MODEL_RULES[model];

    it(`${model} takes ${first} to ${last} seconds, ${byDefault} by default, ${text ? 'also' : 'not'} from text`, () => {
      assert.deepEqual(
        [rules.durations[0], rules.durations.at(-1), rules.durations.length],
        [first, last, count],
      );
      assert.equal(rules.defaultDuration, byDefault);
      assert.equal(rules.makesFromText, text);
      assert.equal(rules.aspectRatios.length, ratios);
    });

    it(`${model} has a resolution for every duration, and its defaults are among what it has`, () => {
      assert.ok(rules.durations.includes(rules.defaultDuration));
      assert.ok(rules.aspectRatios.includes('16:9'));
      for (const duration of rules.durations) {
        for (const hasImage of [true, false]) {
          assert.ok(resolutionsFor(rules, { duration, hasImage }).length > 0);
        }
      }
    });
  }

  for (const [model, duration, hasImage, expected] of RESOLUTIONS) {
    it(`${model} renders ${duration} s ${hasImage ? 'with' : 'without'} an image in ${expected.join(', ')}`, () => {
      assert.deepEqual(resolutionsFor(VIDEO_MODEL_RULES[model], { duration, hasImage }), expected);
    });
  }
});
