import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Picture } from '../../pixels/picture.ts';
import { PART, portrait, SKIN_TONES } from '../../samples/portrait.ts';
import { stillLife } from '../../samples/still-life.ts';
import { painted } from '../test/relit.ts';
import { readScene } from './scene.ts';

/** How well the matte and the truth agree: what both have by what either has. */
function agreement(picture: Picture, truth: (at: number) => boolean | undefined): number {
  const { matte } = readScene(picture);
  let both = 0;
  let either = 0;
  for (let at = 0; at < matte.values.length; at++) {
    const inside = truth(at);
    if (inside === undefined) continue;
    const found = (matte.values[at] ?? 0) > 0.5;
    if (inside && found) both++;
    if (inside || found) either++;
  }
  return both / either;
}

describe('the subject', () => {
  it('is the person of a portrait, of whatever skin', () => {
    for (const skinTone of SKIN_TONES) {
      const { width, height, rgb, parts } = portrait({ width: 112, height: 140, seed: 2, skinTone });
      const found = agreement({ width, height, rgb, format: 'png' }, (at) =>
        parts[at] === PART.edge ? undefined : parts[at] !== PART.background,
      );
      assert.ok(found > 0.93, `${skinTone}: ${found}`);
    }
  });

  it('is what stands on the table of a still life, and the table is its ground', () => {
    const still = stillLife({ size: 160 });
    assert.ok(agreement(still, (at) => still.subject[at] === 1) > 0.8);
    const { ground } = readScene(still);
    assert.ok((ground[150 * 160 + 10] ?? 0) > 0.9);
    assert.ok((ground[40 * 160 + 10] ?? 1) < 0.1);
  });

  it('is nothing where there is none', () => {
    const hills = painted(120, 80, (x, y) =>
      y > 0.5 + 0.1 * Math.sin(9 * x) ? [70, 110, 50] : [120, 160, 220],
    );
    const plain = painted(64, 64, () => [128, 128, 128]);
    for (const picture of [hills, plain]) {
      const { confidence, matte } = readScene(picture);
      assert.ok(confidence < 0.35, `${confidence}`);
      if (confidence === 0) assert.ok(matte.values.every((value) => value === 1));
    }
  });

  it('has a form that bulges towards the viewer', () => {
    const ball = painted(100, 100, (x, y) =>
      (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.06 ? [180, 180, 180] : [60, 60, 60],
    );
    const { shape } = readScene(ball);
    const at = (x: number, y: number): number => Math.round(y * 100) * 100 + Math.round(x * 100);
    assert.ok((shape.x[at(0.32, 0.5)] ?? 0) < -0.4 && (shape.x[at(0.68, 0.5)] ?? 0) > 0.4);
    assert.ok((shape.y[at(0.5, 0.32)] ?? 0) < -0.4 && (shape.y[at(0.5, 0.68)] ?? 0) > 0.4);
    assert.ok((shape.z[at(0.5, 0.5)] ?? 0) > 0.95);
  });
});
