import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
} from '@atelier/contracts/proxy-words';
import { brightness, difference, meanOf, painted, photo, relit, WHOLE } from '../../test/rendered.ts';
import type { Picture } from '../pixels/picture.ts';

const PROMPT = 'warm light from the left';
/** A mean step of 0 to 255 that an eye sees side by side. */
const VISIBLE = 0.6;
const CHOICES = {
  style: RELIGHT_STYLES,
  engine: RELIGHT_ENGINES,
  transferLightA: TRANSFER_LIGHT_A,
  transferLightB: TRANSFER_LIGHT_B,
} as const;

describe('the choices of relight', () => {
  for (const [setting, values] of Object.entries(CHOICES)) {
    it(`make a picture of its own for each ${setting}`, async () => {
      const person = await photo('grace-hopper', 96);
      const made: [string, Picture][] = [];
      for (const value of values) {
        made.push([value, await relit(person, { prompt: PROMPT, [setting]: value })]);
      }
      for (const [index, [name, one]] of made.entries()) {
        for (const [other, two] of made.slice(index + 1)) {
          assert.ok(difference(one, two) > VISIBLE, `${name} and ${other}: ${difference(one, two)}`);
        }
      }
    });
  }

  it('change a face more than the rest with high_on_faces', async () => {
    const [person, face] = [await photo('grace-hopper', 96), [0.36, 0.22, 0.64, 0.5] as const];
    const plain = await relit(person, { prompt: PROMPT });
    const faces = await relit(person, { prompt: PROMPT, transferLightA: 'high_on_faces' });
    assert.ok(difference(person, faces, [0.8, 0, 1, 0.3]) < difference(person, plain, [0.8, 0, 1, 0.3]));
    assert.ok(
      difference(person, faces, face) / difference(person, plain, face) >
        difference(person, faces) / difference(person, plain),
    );
  });

  it('keep the colors of the picture with just_composition', async () => {
    const person = await photo('grace-hopper', 96);
    const ratio = (picture: Picture): number =>
      meanOf(picture, WHOLE, (red) => red) / meanOf(picture, WHOLE, (_, __, blue) => blue);
    const made = await relit(person, { prompt: PROMPT, style: 'just_composition' });
    assert.ok(Math.abs(ratio(made) / ratio(person) - 1) < 0.08);
  });
});

describe('the tones of relight', () => {
  const ramps = painted(48, 30, (x, y) =>
    y < 0.4 ? [250 * x, 250 * x, 250 * x] : [60 + 150 * x, 40 + 120 * x, 130 - 60 * x],
  );

  it('are brighter or darker by brightness, whites and blacks', async () => {
    for (const setting of ['brightness', 'whites', 'blacks'] as const) {
      const made: number[] = [];
      for (const value of [0, 50, 100]) made.push(brightness(await relit(ramps, { [setting]: value })));
      const [low = 0, middle = 0, high = 0] = made;
      assert.ok(low + 2 < middle && middle + 2 < high, `${setting}: ${made.join()}`);
    }
  });

  it('spread with contrast, and lose all color with a saturation of 0', async () => {
    const spread = ({ rgb }: Picture): number => {
      const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length;
      return Math.sqrt(rgb.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rgb.length);
    };
    assert.ok(
      spread(await relit(ramps, { contrast: 10 })) + 5 < spread(await relit(ramps, { contrast: 90 })),
    );
    const gray = await relit(ramps, { saturation: 0 });
    for (let at = 0; at < gray.rgb.length; at += 3) {
      assert.ok(Math.abs((gray.rgb[at] ?? 0) - (gray.rgb[at + 2] ?? 0)) <= 1);
    }
  });

  it('stay as they are at strength 0 with everything at 50', async () => {
    const same = await relit(ramps, { strength: 0, prompt: 'night' });
    for (const [at, value] of ramps.rgb.entries()) assert.ok(Math.abs(value - (same.rgb[at] ?? 0)) <= 1);
  });
});
