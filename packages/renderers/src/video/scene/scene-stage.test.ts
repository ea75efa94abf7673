import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VideoSettings } from '../../render-request.ts';
import { createStage } from '../create-stage.ts';
import { newPlanes } from '../planes.ts';
import { bestFit, type Silhouette, silhouette } from '../test/compare.ts';
import { SETTINGS } from '../test/films.ts';
import { filmedAt } from '../test/stages.ts';

const size = { width: 128, height: 72 };
const FAR = { from: 0.3, to: 0.55 };
const NEAR = { from: 0.66, to: 0.94 };

async function frames(
  settings: Partial<VideoSettings>,
  times: readonly number[],
): Promise<readonly Uint8ClampedArray[]> {
  return await filmedAt({ ...SETTINGS, ...size, seconds: 5, seed: 3, ...settings }, times);
}

describe('the camera in a scene', () => {
  const scene = 'mountains and a meadow with trees by day, clear and calm';
  const scales = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8];

  test('pushes in: the last frame is a part of the first one, enlarged, and near things more so', async () => {
    const [first = new Uint8ClampedArray(), last = first] = await frames(
      { prompt: `${scene}, push in` },
      [0, 5],
    );
    const far = bestFit(first, last, size, FAR, scales);
    const near = bestFit(first, last, size, NEAR, scales);
    assert.ok(far.scale >= 1.2 && near.scale > far.scale, JSON.stringify({ far, near }));
  });

  test('pulls out: the first frame is a part of the last one', async () => {
    const [first = new Uint8ClampedArray(), last = first] = await frames(
      { prompt: `${scene}, pull out` },
      [0, 5],
    );
    assert.ok(bestFit(last, first, size, FAR, scales).scale >= 1.2);
  });

  for (const [words, way] of [
    ['pan right', -1],
    ['pan left', 1],
    ['tracking shot to the right', -1],
  ] as const) {
    test(`${words}: everything goes to the other side, what is near farther`, async () => {
      const [first = new Uint8ClampedArray(), last = first] = await frames(
        { prompt: `${scene}, ${words}` },
        [0, 5],
      );
      const [far, near] = [FAR, NEAR].map((rows) => bestFit(first, last, size, rows, [1]).aside * way);
      assert.ok(far !== undefined && near !== undefined);
      assert.ok(far > 0.06 && near > far * 1.2 && near > 0.2, `${far}, ${near}`);
    });
  }

  test('goes farther with a larger movement', async () => {
    const reached: number[] = [];
    for (const movement of ['small', 'medium', 'large'] as const) {
      const [first = new Uint8ClampedArray(), last = first] = await frames(
        { prompt: `${scene}, pan right`, movement },
        [0, 5],
      );
      reached.push(-bestFit(first, last, size, FAR, [1]).aside);
    }
    const [small = 0, medium = 0, large = 0] = reached;
    assert.ok(small > 0.04 && medium > small * 1.4 && large > medium * 1.2, String(reached));
  });

  test('leaves no pixel of any frame undrawn', async () => {
    const places = [
      'sea with a beach',
      'meadow',
      'forest',
      'city street at night',
      'desert',
      'coral reef',
      'space',
      'fire',
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
      for (const move of [moves[index], moves[(index + 3) % moves.length]]) {
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

/** A subject's silhouette at some times, by what it changes in a scene that is otherwise the same. */
async function seen(
  subject: string,
  place: string,
  times: readonly number[],
): Promise<readonly Silhouette[]> {
  const large = { width: 256, height: 144 };
  const words = `${place}, calm, static shot`;
  const alone = await frames({ ...large, prompt: words }, times);
  const withIt = await frames({ ...large, prompt: `${subject}, ${words}` }, times);
  return withIt.map((picture, at) => silhouette(picture, alone[at] ?? picture, large));
}

describe('a subject', () => {
  const MEADOW = 'meadow by day';

  test('walks: it crosses a part of the frame, upright, at one pace', async () => {
    const all = await seen('a man', MEADOW, [0, 1, 2, 3, 4, 5]);
    const steps = all.slice(1).map(({ middle }, at) => middle - (all[at]?.middle ?? 0));
    assert.ok(Math.abs((all.at(-1)?.middle ?? 0) - (all[0]?.middle ?? 0)) > 256 * 0.2);
    assert.ok(Math.max(...steps.map(Math.abs)) < 2 * Math.min(...steps.map(Math.abs)), String(steps));
    for (const { top, bottom, pixels } of all) assert.ok(bottom - top > 144 * 0.2 && pixels.size > 100);
  });

  test('walks on legs that part and close', async () => {
    const all = await seen(
      'a man',
      'overcast meadow by day',
      [2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9],
    );
    // Without a sun there is no shadow that would belong to them.
    const spread = all.map(({ pixels, top, bottom }) => {
      const rows = [...pixels].filter((at) => {
        const y = Math.floor(at / 256);
        return y > top + (bottom - top) * 0.8;
      });
      const columns = rows.map((at) => at % 256);
      return Math.max(...columns) - Math.min(...columns) + 1;
    });
    assert.ok(Math.max(...spread) >= 1.5 * Math.min(...spread), String(spread));
  });

  test('stands where the prompt says so', async () => {
    const [first, last] = await seen('a man stands', MEADOW, [0, 5]);
    assert.ok(first && last && first.pixels.size > 100);
    assert.ok(Math.abs(first.middle - last.middle) < 2);
  });

  for (const [subject, place] of [
    ['a dog', MEADOW],
    ['a horse', MEADOW],
    ['birds', MEADOW],
    ['a sailboat', 'sea by day'],
    ['an airplane', MEADOW],
  ] as const) {
    test(`moves along and within itself: ${subject}`, async () => {
      const [first, soon, last] = await seen(subject, place, [1, 1.25, 4]);
      assert.ok(first && soon && last && first.pixels.size > 30 && last.pixels.size > 30);
      assert.ok(Math.abs(last.middle - first.middle) > 256 * 0.05, `${first.middle}, ${last.middle}`);
      const kept = [...soon.pixels].filter((at) => first.pixels.has(at)).length;
      assert.ok(kept < 0.97 * soon.pixels.size);
    });
  }

  test('is one of many where the prompt speaks of many', async () => {
    const [[one], [many]] = [await seen('a horse', MEADOW, [2.5]), await seen('horses', MEADOW, [2.5])];
    assert.ok(one && many && many.pixels.size > 2 * one.pixels.size);
  });

  test('throws a shadow on the ground, away from the sun', async () => {
    const [sunny] = await seen('a man', 'clear meadow by day', [2.5]);
    const [dull] = await seen('a man', 'overcast meadow by day', [2.5]);
    assert.ok(sunny && dull);
    const ground = [...sunny.pixels].filter((at) => Math.floor(at / 256) > dull.bottom);
    assert.ok(ground.length > 20, `${ground.length} pixels`);
    const middle = ground.reduce((sum, at) => sum + (at % 256), 0) / ground.length;
    const [sky = new Uint8ClampedArray()] = await frames(
      { width: 256, height: 144, prompt: 'clear meadow by day, calm, static shot' },
      [2.5],
    );
    const sun = sunColumn(sky);
    assert.equal(middle > dull.middle, sun < 128, `${middle}, ${dull.middle}, ${sun}`);
  });
});

/** The column of the brightest place. */
function sunColumn(picture: Uint8ClampedArray): number {
  let [best, column] = [0, 0];
  for (let at = 0; at < picture.length / 6; at++) {
    const level = (picture[at * 3] ?? 0) + (picture[at * 3 + 1] ?? 0) + (picture[at * 3 + 2] ?? 0);
    if (level > best) [best, column] = [level, at % 256];
  }
  return column;
}
