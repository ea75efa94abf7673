import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CameraPlan } from '../camera.ts';
import type { Move } from '../camera-words.ts';
import { project } from './site.ts';
import { surveyCamera } from './survey.ts';

const size = { width: 1280, height: 720 };
const DEPTHS = [0, 0.12, 0.4, 0.75, 1];

function planOf(moves: readonly Move[], { amount = 1, shake = 0 } = {}): CameraPlan {
  return { moves, amount, shake, seed: 5, heading: 0 };
}

function seen(plan: CameraPlan, progress: number, depth: number, heading = { x: 640, y: 400 }) {
  const camera = surveyCamera(size, plan).at(progress, progress * 5);
  return project({ size }, { camera, heading }, depth);
}

const MOVES: readonly (readonly Move[])[] = [
  ['push in'],
  ['pull out'],
  ['zoom in'],
  ['zoom out'],
  ['pan left'],
  ['pan right'],
  ['track left'],
  ['tilt up'],
  ['tilt down'],
  ['crane up'],
  ['crane down'],
  ['orbit left'],
  ['orbit right'],
  ['hold'],
  ['push in', 'orbit right', 'crane up'],
  ['zoom out', 'pan left', 'tilt down'],
];

describe('the camera never sees beyond what is painted', () => {
  for (const moves of MOVES) {
    test(moves.join(' and '), () => {
      for (const amount of [0.5, 1, 2.2]) {
        const plan = planOf(moves, { amount, shake: 0.03 });
        const { room } = surveyCamera(size, plan);
        for (const depth of DEPTHS) {
          const { x, y } = room(depth);
          for (let progress = 0; progress <= 1; progress += 0.05) {
            for (const heading of [
              { x: 0, y: 0 },
              { x: 1280, y: 720 },
              { x: 700, y: 300 },
            ]) {
              const { scale, left, top } = seen(plan, progress, depth, heading);
              assert.ok(-x * scale + left <= 0 && (size.width + x) * scale + left >= size.width);
              assert.ok(-y * scale + top <= 0 && (size.height + y) * scale + top >= size.height);
            }
          }
        }
      }
    });
  }

  test('nothing is painted that it never sees', () => {
    assert.ok(surveyCamera(size, planOf(['push in'])).room(0.6).x < 5);
    assert.ok(surveyCamera(size, planOf(['pan left'])).room(0.6).y < 5);
  });
});

describe('near things move more than far ones', () => {
  const growth = (moves: readonly Move[], depth: number): number =>
    seen(planOf(moves), 1, depth).scale / seen(planOf(moves), 0, depth).scale;
  const shift = (moves: readonly Move[], depth: number): number =>
    seen(planOf(moves), 1, depth).left - seen(planOf(moves), 0, depth).left;
  const lift = (moves: readonly Move[], depth: number): number =>
    seen(planOf(moves), 1, depth).top - seen(planOf(moves), 0, depth).top;

  test('when the camera pushes in, and everything clearly grows', () => {
    assert.ok(growth(['push in'], 0) > 1.2);
    assert.ok(growth(['push in'], 1) > growth(['push in'], 0) * 1.3);
    assert.ok(growth(['pull out'], 1) < 0.7);
  });

  test('when the camera pans or tracks, to the other side', () => {
    for (const move of ['pan right', 'track right'] as const) {
      const [far, near] = [shift([move], 0), shift([move], 1)];
      assert.ok(far < -0.05 * size.width && near < far * 1.5, `${move}: ${far}, ${near}`);
    }
  });

  test('when it rises', () => {
    assert.ok(lift(['crane up'], 0) > 0.1 * size.height);
    assert.ok(lift(['crane up'], 1) > lift(['crane up'], 0) * 1.8);
  });

  test('and in another direction when it orbits', () => {
    assert.ok(shift(['orbit right'], 0) > 0.1 * size.width);
    assert.ok(shift(['orbit right'], 1) < -0.1 * size.width);
  });

  test('but not when only the lens zooms', () => {
    assert.equal(growth(['zoom in'], 0), growth(['zoom in'], 1));
    assert.ok(growth(['zoom in'], 0) > 1.3);
  });
});
