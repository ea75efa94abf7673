import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SKIN_PURPOSES } from '@atelier/contracts/proxy-words';
import {
  type Box,
  brightness,
  difference,
  meanOf,
  painted,
  photo,
  retouched,
  texture,
} from '../../test/rendered.ts';

const PEOPLE = ['eileen-collins', 'grace-hopper', 'barack-obama'] as const;
const FACES: Readonly<Record<(typeof PEOPLE)[number], Box>> = {
  'eileen-collins': [0.37, 0.16, 0.5, 0.32],
  'grace-hopper': [0.36, 0.22, 0.62, 0.5],
  'barack-obama': [0.43, 0.08, 0.66, 0.3],
};
const LIPS: Readonly<Record<(typeof PEOPLE)[number], Box>> = {
  'eileen-collins': [0.415, 0.295, 0.455, 0.308],
  'grace-hopper': [0.46, 0.455, 0.58, 0.48],
  'barack-obama': [0.51, 0.298, 0.58, 0.312],
};

describe('the settings of the skin enhancer, on photographs', () => {
  it('leave a picture as it is when all are 0', async () => {
    const person = await photo('eileen-collins', 160);
    const result = await retouched(person, {});
    assert.ok(result.rgb.every((value, at) => Math.abs(value - (person.rgb[at] ?? 0)) <= 1));
  });

  for (const name of PEOPLE) {
    it(`bring out the texture of the skin of ${name}, more with a higher skin_detail, and leave the rest`, async () => {
      const person = await photo(name, 320);
      const [half, full] = [
        await retouched(person, { skinDetail: 50 }),
        await retouched(person, { skinDetail: 100 }),
      ];
      const [face, top] = [FACES[name], [0, 0, 1, 0.04] as const];
      assert.ok(difference(half, person, face) > 0.2);
      assert.ok(difference(full, person, face) > 1.2 * difference(half, person, face));
      assert.ok(difference(full, person, top) < 0.5 * difference(full, person, face));
    });

    it(`keep the lips of ${name} red without make-up`, async () => {
      const person = await photo(name, 320);
      const bare = await retouched(person, { mode: 'flexible', optimizedFor: 'no_make_up' });
      const redness = (red: number, green: number): number => red - green;
      const [before, after] = [meanOf(person, LIPS[name], redness), meanOf(bare, LIPS[name], redness)];
      assert.ok(after > 0.7 * before, `${before}, then ${after}`);
      assert.ok(difference(bare, person, FACES[name]) > 0.2);
    });

    it(`make ${name} look different in each mode and purpose, and never gray`, async () => {
      // In a smaller picture of her some purposes differ by less than is measured here.
      const person = await photo(name, name === 'grace-hopper' ? 320 : 200);
      const results = [
        person,
        await retouched(person, { skinDetail: 80 }),
        await retouched(person, { mode: 'creative' }),
      ];
      for (const optimizedFor of SKIN_PURPOSES)
        results.push(await retouched(person, { mode: 'flexible', optimizedFor }));
      const color = (red: number, _: number, blue: number): number => red - blue;
      for (const [index, one] of results.entries()) {
        assert.ok(
          meanOf(one, FACES[name], color) > 0.75 * meanOf(person, FACES[name], color),
          `result ${index}`,
        );
        for (const other of results.slice(index + 1)) assert.ok(difference(one, other, FACES[name]) > 0.15);
      }
    });
  }

  it('improve_lighting makes a face lighter without overexposing it', async () => {
    const person = await photo('grace-hopper', 160);
    const lit = await retouched(person, { mode: 'flexible', optimizedFor: 'improve_lighting' });
    assert.ok(brightness(lit, FACES['grace-hopper']) > brightness(person, FACES['grace-hopper']) + 2);
    const burnt = (red: number, green: number, blue: number): number =>
      Math.min(red, green, blue) > 252 ? 1 : 0;
    assert.ok(meanOf(lit, FACES['grace-hopper'], burnt) < 0.02);
  });

  it('sharpen makes edges stronger with each step, and stays usable at 100', async () => {
    const person = await photo('barack-obama', 200);
    const [half, full] = [
      await retouched(person, { sharpen: 50 }),
      await retouched(person, { sharpen: 100 }),
    ];
    assert.ok(texture(half) > 1.05 * texture(person));
    assert.ok(texture(full) > 1.02 * texture(half));
    assert.ok(texture(full) < 1.8 * texture(person));
    assert.ok(texture(full, FACES['barack-obama']) < 1.8 * texture(person, FACES['barack-obama']));
  });

  it('sharpen puts no halo beside an edge', async () => {
    const edge = painted(64, 64, (x) => (x < 0.5 ? [60, 60, 60] : [180, 180, 180]));
    const { rgb } = await retouched(edge, { sharpen: 100 });
    assert.ok(rgb.every((value) => value >= 60 - 30 && value <= 180 + 30));
    const far = rgb.filter((_, at) => Math.abs((Math.floor(at / 3) % 64) - 31.5) > 5);
    assert.ok(far.every((value) => Math.abs(value - 60) <= 1 || Math.abs(value - 180) <= 1));
  });

  it('smart_grain is strongest in the mid-tones, grows with its setting, and stays usable at 100', async () => {
    const ramp = painted(256, 96, (x) => [255 * x, 255 * x, 255 * x]);
    const made = await Promise.all(
      [10, 40, 100].map(async (smartGrain) => await retouched(ramp, { smartGrain })),
    );
    const changes = made.map((one) => difference(one, ramp, [0.4, 0, 0.6, 1]));
    const [little = 0, more = 0, most = 0] = changes;
    assert.ok(little > 0.2 && more > 1.5 * little && most > 1.5 * more && most < 8, changes.join(', '));
    for (const one of made) {
      assert.ok(difference(one, ramp, [0.4, 0, 0.6, 1]) > 2 * difference(one, ramp, [0.92, 0, 0.99, 1]));
    }
  });

  it('give the same picture for the same seed, and another for another seed', async () => {
    const person = await photo('eileen-collins', 120);
    const settings = { mode: 'creative', smartGrain: 30, sharpen: 20 } as const;
    const first = await retouched(person, { ...settings, seed: 5 });
    assert.deepEqual((await retouched(person, { ...settings, seed: 5 })).rgb, first.rgb);
    assert.ok(difference(first, await retouched(person, { ...settings, seed: 6 })) > 0.3);
  });
});
