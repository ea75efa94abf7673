import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cameraAt, type Move, planCamera } from './camera.ts';
import { seededRandom } from './random.ts';

function moveFor(prompt: string, seed = 1): Move {
  return planCamera(prompt, {
    movement: 'medium',
    random: seededRandom(seed, ''),
    free: ['hold', 'push in', 'pan left', 'tilt up'],
  }).move;
}

const words: readonly (readonly [string, Move])[] = [
  ['Zoom in on the door', 'push in'],
  ['slow dolly in', 'push in'],
  ['drone shot over a valley', 'push in'],
  ['the camera pulls back to reveal the city', 'pull out'],
  ['zooming out', 'pull out'],
  ['the camera pans to the left', 'pan left'],
  ['tracking right along the wall', 'pan right'],
  ['orbiting the statue', 'orbit right'],
  ['tilt down to the street', 'tilt down'],
  ['crane up', 'tilt up'],
  ['static shot of a vase', 'hold'],
];

for (const [prompt, move] of words) {
  test(`“${prompt}” is ${move}`, () => assert.equal(moveFor(prompt), move));
}

test('without a word the seed decides, always alike', () => {
  const moves = Array.from({ length: 20 }, (_, seed) => moveFor('a cat', seed));
  assert.ok(new Set(moves).size > 2);
  assert.deepEqual(
    moves,
    Array.from({ length: 20 }, (_, seed) => moveFor('a cat', seed)),
  );
});

test('every move begins and ends softly, and handheld starts at rest', () => {
  const random = seededRandom(1, '');
  const plan = planCamera('handheld pan right', { movement: 'large', random, free: ['hold'] });
  assert.deepEqual(cameraAt(plan, 0, 0), { x: 0, y: 0, zoom: 1, orbit: 0 });
  const steps = [0, 0.05, 0.5, 0.55, 0.95, 1].map((at) => cameraAt({ ...plan, handheld: false }, at, 0).x);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = steps;
  assert.ok(b - a < d - c && f - e < d - c);
});
