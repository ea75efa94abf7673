import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseImage, runNode } from '../../test/run-node.ts';
import { curveEditor, imageHistogram } from './curves.ts';
import { type Curve, createCurve, curveAt } from './kernels/curve.ts';

async function edited(curve: unknown): Promise<Curve> {
  return (await runNode(curveEditor, { curve })).outputs[0] as Curve;
}

test('a smooth curve goes through its points with the slopes of its secants between', () => {
  const curve = createCurve(
    [
      [1, 1],
      [0, 0],
      [0.5, 0.25],
    ],
    'monotone_cubic',
  );
  assert.deepEqual(curve.slopes, [0.5, 1, 1.5]);
  assert.deepEqual(
    [0, 0.5, 1].map((x) => curveAt(curve, x)),
    [0, 0.25, 1],
  );
  assert.equal(curveAt(curve, 0.25), 0.09375);
});

test('a smooth curve nowhere swings over its points and is level where they are', () => {
  const curve = createCurve(
    [
      [0, 0],
      [0.1, 0.9],
      [0.5, 0.9],
      [0.6, 1],
      [1, 1],
    ],
    'monotone_cubic',
  );
  let before = 0;
  for (let x = 0; x <= 1; x += 0.01) {
    const y = curveAt(curve, x);
    assert.ok(y >= before - 1e-12 && y <= 1 + 1e-12);
    before = y;
  }
  assert.equal(curveAt(curve, 0.3), 0.9);
});

test('a linear curve is straight between its points, and level beside its ends', () => {
  const curve = createCurve(
    [
      [0.25, 1],
      [0.75, 0],
    ],
    'linear',
  );
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map((x) => curveAt(curve, x)),
    [1, 1, 0.5, 0, 0],
  );
});

test('few points, and points above each other, do no harm', () => {
  assert.equal(curveAt(createCurve([], 'linear'), 0.5), 0);
  assert.equal(curveAt(createCurve([[0.5, 0.3]], 'monotone_cubic'), 0.9), 0.3);
  const step = createCurve(
    [
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [1, 1],
    ],
    'monotone_cubic',
  );
  assert.deepEqual(
    [0.4, 0.5, 0.6].map((x) => curveAt(step, x)),
    [0, 1, 1],
  );
});

test('the editor takes what editors send: points alone, with a way to join them, or a curve', async () => {
  const points = [
    [0, 0],
    [1, 0.5],
  ];
  assert.equal((await edited(points)).interpolation, 'monotone_cubic');
  assert.equal((await edited({ points, interpolation: 'linear' })).interpolation, 'linear');
  assert.equal((await edited({ points, interpolation: 'odd' })).interpolation, 'monotone_cubic');
  assert.deepEqual((await edited(await edited({ points, interpolation: 'linear' }))).points, points);
});

test('what is not a curve is refused with a sentence', async () => {
  for (const curve of ['x', null, 5, { points: 'x' }, [[0]], [[0, 'a']], [[0, Number.NaN]]]) {
    await assert.rejects(edited(curve), { exceptionType: 'ValueError' });
  }
});

test('a histogram given to the editor is shown', async () => {
  const { ui } = await runNode(curveEditor, { curve: [[0, 0]], histogram: [1, 2] });
  assert.deepEqual(ui, { histogram: [1, 2] });
});

test('histograms count the first picture only, and gray in every color', async () => {
  const image = noiseImage({ batch: 3, height: 5, width: 3, channels: 1 });
  const { outputs } = await runNode(imageHistogram, { image });
  const lists = outputs as readonly (readonly number[])[];
  assert.equal(lists.length, 5);
  for (const list of lists.slice(2))
    assert.deepEqual([list.length, list.reduce((sum, count) => sum + count, 0)], [256, 15]);
  assert.deepEqual(lists[2], lists[4]);
});
