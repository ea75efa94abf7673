import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AT_REST, type Camera, type CameraPlan, cameraAt, type Movement, planCamera } from './camera.ts';
import type { Move } from './camera-words.ts';
import { seededRandom } from './random.ts';

function planFor(
  prompt: string,
  { seed = 1, movement = 'medium' }: { readonly seed?: number; readonly movement?: Movement } = {},
): CameraPlan {
  return planCamera(prompt, { movement, random: seededRandom(seed, '') });
}

const words: readonly (readonly [string, ...Move[]])[] = [
  ['Zoom in on the door', 'zoom in'],
  ['slow dolly in', 'push in'],
  ['slow push-in', 'push in'],
  ['drone shot over a valley', 'push in'],
  ['the camera pulls back to reveal the city', 'pull out'],
  ['zooming out', 'zoom out'],
  ['the camera pans to the left', 'pan left'],
  ['the camera pans over the hills', 'pan right'],
  ['tracking right along the wall', 'track right'],
  ['dolly left', 'track left'],
  ['a tracking shot of a horse', 'track right'],
  ['orbiting the statue', 'orbit right'],
  ['orbit to the left', 'orbit left'],
  ['tilt down to the street', 'tilt down'],
  ['pan up to the stars', 'tilt up'],
  ['crane up', 'crane up'],
  ['crane shot', 'crane up'],
  ['crane down', 'crane down'],
  ['static shot of a vase', 'hold'],
  ['handheld', 'hold'],
  ['crane up and push in', 'push in', 'crane up'],
  ['a still lake, pan left', 'pan left'],
];

for (const [prompt, ...moves] of words) {
  test(`“${prompt}” is ${moves.join(' and ')}`, () => assert.deepEqual(planFor(prompt).moves, moves));
}

test('without a camera word the seed decides the move and where the camera heads', () => {
  const plans = Array.from({ length: 20 }, (_, seed) => planFor('a cat', { seed }));
  assert.ok(new Set(plans.map(({ moves }) => moves.join())).size > 2);
  assert.equal(new Set(plans.map(({ heading }) => heading)).size, 20);
  assert.deepEqual(
    plans,
    Array.from({ length: 20 }, (_, seed) => planFor('a cat', { seed })),
  );
});

test('a larger movement goes farther', () => {
  const reached = (['small', 'medium', 'large'] as const).map(
    (movement) => cameraAt(planFor('push in', { movement }), 1, 5).forward,
  );
  const [small = 0, medium = 0, large = 0] = reached;
  assert.ok(medium > small * 1.5 && large > medium * 1.4, String(reached));
});

describe('every move', () => {
  const moves = words.flatMap(([, ...named]) => named).filter((move) => move !== 'hold');
  for (const move of new Set(moves)) {
    test(`begins and ends softly: ${move}`, () => {
      const plan = { ...planFor('static shot'), moves: [move] };
      const far = (from: number, to: number): number =>
        apart(cameraAt(plan, from, from * 5), cameraAt(plan, to, to * 5));
      assert.ok(far(0, 1) > 0.25, 'it goes far enough to be seen');
      assert.ok(far(0, 0.05) < far(0.475, 0.525) * 0.6 && far(0.95, 1) < far(0.475, 0.525) * 0.6);
    });
  }
});

test('a handheld camera starts at rest, then shakes', () => {
  const plan = planFor('handheld');
  assert.deepEqual(cameraAt(plan, 0, 0), AT_REST);
  const turns = Array.from({ length: 24 }, (_, frame) => cameraAt(plan, 0.5, 2 + frame / 24).turnX);
  assert.ok(Math.max(...turns) - Math.min(...turns) > 0.004);
});

function apart(a: Camera, b: Camera): number {
  return (Object.keys(AT_REST) as (keyof Camera)[]).reduce(
    (sum, name) => sum + Math.abs(a[name] - b[name]),
    0,
  );
}
