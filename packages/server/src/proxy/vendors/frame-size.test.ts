import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { frameSize, shapeOf } from './frame-size.ts';

describe('the size of a frame', () => {
  const cases = [
    ['720p', '16:9', 1280, 720],
    ['720p', '9:16', 720, 1280],
    ['540p', '1:1', 540, 540],
    ['1080p', '4:3', 1440, 1080],
    ['360p', '16:9', 640, 360],
    ['2K', '16:9', 2560, 1440],
  ] as const;
  for (const [resolution, aspect, width, height] of cases) {
    it(`of ${resolution} at ${aspect} is ${width} by ${height}`, () => {
      assert.deepEqual(frameSize(resolution, shapeOf(aspect)), { width, height });
    });
  }

  it('of a picture that is wider than 16:9 has its shape, even sides and no more pixels', () => {
    const { width, height } = frameSize('720p', { width: 4000, height: 1000 });
    assert.ok(Math.abs(width / height - 4) < 0.02);
    assert.ok(width * height <= 1280 * 720 * 1.01);
    assert.equal(width % 2, 0);
    assert.equal(height % 2, 0);
  });
});
