import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLongRun } from '@atelier/testing';
import type { VideoSettings } from '../../render-request.ts';
import { createStage } from '../create-stage.ts';
import { newPlanes } from '../planes.ts';
import { bestFit } from '../test/compare.ts';
import { SETTINGS } from '../test/films.ts';
import { filmedAt } from '../test/stages.ts';

const size = { width: 128, height: 72 };
const FAR = { from: 0.3, to: 0.55 };
const NEAR = { from: 0.66, to: 0.94 };

/** The first and the last frame of a move. */
async function ends(move: string, movement: VideoSettings['movement'] = 'medium') {
  const prompt = `mountains and a meadow by day, clear, ${move}`;
  const [first, last] = await filmedAt(
    { ...SETTINGS, ...size, seconds: 5, seed: 3, prompt, movement },
    [0, 5],
  );
  assert.ok(first && last);
  return { first, last };
}

describe('the camera in a scene', () => {
  const scales = [0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8];
  const panned = ends('pan right');

  test('pushes in: the last frame is a part of the first one, enlarged', async () => {
    const { first, last } = await ends('push in');
    const far = bestFit(first, last, size, FAR, scales);
    const near = bestFit(first, last, size, NEAR, scales);
    assert.ok(far.scale >= 1.2 && near.scale >= far.scale, JSON.stringify({ far, near }));
  });

  test('pulls out: the first frame is a part of the last one', async () => {
    const { first, last } = await ends('pull out');
    assert.ok(bestFit(last, first, size, FAR, scales).scale >= 1.2);
  });

  for (const [words, way] of [
    ['pan right', -1],
    ['pan left', 1],
    ['tracking shot to the right', -1],
  ] as const) {
    test(`${words}: everything goes to the other side, what is near farther`, async () => {
      const { first, last } = await (words === 'pan right' ? panned : ends(words));
      const [far, near] = [FAR, NEAR].map((rows) => bestFit(first, last, size, rows, [1]).aside * way);
      assert.ok(far !== undefined && near !== undefined);
      assert.ok(far > 0.06 && near > far * 1.2 && near > 0.2, `${far}, ${near}`);
    });
  }

  test('goes farther with a larger movement', async () => {
    const reached: number[] = [];
    for (const made of [ends('pan right', 'small'), panned, ends('pan right', 'large')]) {
      const { first, last } = await made;
      reached.push(-bestFit(first, last, size, FAR, [1]).aside);
    }
    const [small = 0, medium = 0, large = 0] = reached;
    assert.ok(small > 0.04 && medium > small * 1.4 && large > medium * 1.2, String(reached));
  });

  test('draws every pixel of every frame', async () => {
    const places = [
      'sea',
      'meadow',
      'snowy mountains',
      'lake at night',
      'above the clouds',
      'coral reef',
      'foggy hills',
      'silk',
    ];
    const moves = [
      'push in',
      'pan left',
      'tilt up',
      'tilt down',
      'crane up',
      'crane down',
      'orbit',
      'handheld zoom out',
    ];
    for (const [index, place] of places.entries()) {
      for (const further of isLongRun ? moves.keys() : [0]) {
        const move = moves[(index + further) % moves.length];
        const settings = { ...SETTINGS, width: 64, height: 36, seconds: 5, movement: 'large' as const };
        const stage = await createStage({ settings: { ...settings, prompt: `${place}, ${move}` } });
        const planes = newPlanes(settings);
        for (const progress of [0, 0.5, 1]) {
          planes.y.fill(-12_345);
          stage.draw(planes, { progress, seconds: progress * 5 });
          assert.ok(!planes.y.includes(-12_345), `${place}, ${move} at ${progress}`);
        }
      }
    }
  });
});
