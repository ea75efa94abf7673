import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Picture } from '../pixels/picture.ts';
import type { RelightSettings } from '../render-request.ts';
import { AMOUNTS, SPREADS } from './light/transfer.ts';
import { ENGINES } from './look/engines.ts';
import { STYLES } from './look/styles.ts';
import { brightnessOf, difference, meanOf, painted, person, relit } from './test/relit.ts';

const PROMPT = 'warm light from the left';
/** A mean step of 0 to 255 that an eye sees side by side. */
const VISIBLE = 0.8;

const CHOICES = {
  style: Object.keys(STYLES),
  engine: Object.keys(ENGINES),
  transferLightA: Object.keys(AMOUNTS),
  transferLightB: Object.keys(SPREADS),
};

/** All tones in some colors. */
function ramps(): Picture {
  return painted(48, 30, (x, y) =>
    y < 0.4 ? [250 * x, 250 * x, 250 * x] : [60 + 150 * x, 40 + 120 * x, 130 - 60 * x],
  );
}

describe('the choices', () => {
  for (const [setting, values] of Object.entries(CHOICES)) {
    it(`has a picture of its own for each ${setting}`, async () => {
      const picture = person();
      const made: [string, Picture][] = [];
      for (const value of values) {
        const settings = { prompt: PROMPT, [setting]: value } as Partial<RelightSettings>;
        made.push([value, await relit(picture, settings)]);
      }
      for (const [index, [name, one]] of made.entries()) {
        for (const [other, two] of made.slice(index + 1)) {
          assert.ok(difference(one, two) > VISIBLE, `${name} and ${other}: ${difference(one, two)}`);
        }
      }
    });
  }

  it('has the seven styles, nine engines, six amounts and thirteen spreads', () => {
    assert.deepEqual(
      Object.values(CHOICES).map((values) => values.length),
      [7, 9, 6, 13],
    );
  });

  it('lights faces more with high_on_faces', async () => {
    const picture = person();
    const plain = await relit(picture, { prompt: PROMPT });
    const faces = await relit(picture, { prompt: PROMPT, transferLightA: 'high_on_faces' });
    const face = (x: number, y: number): boolean => Math.abs(x - 0.5) < 0.14 && y > 0.32 && y < 0.6;
    const wall = (x: number, y: number): boolean => x < 0.15 && y < 0.4;
    assert.ok(difference(picture, faces, face) > difference(picture, plain, face));
    assert.ok(difference(picture, faces, wall) < difference(picture, plain, wall));
  });

  it('keeps the colors of the picture with just_composition', async () => {
    const picture = person();
    const [red, , blue] = meanOf(await relit(picture, { prompt: PROMPT, style: 'just_composition' }));
    const before = meanOf(picture);
    assert.ok(Math.abs(red / blue / (before[0] / before[2]) - 1) < 0.05);
  });
});

describe('the tones', () => {
  it('are brighter or darker by brightness, whites and blacks', async () => {
    const picture = ramps();
    for (const setting of ['brightness', 'whites', 'blacks'] as const) {
      const made: number[] = [];
      for (const value of [0, 50, 100]) made.push(brightnessOf(await relit(picture, { [setting]: value })));
      assert.ok(
        (made[0] ?? 0) + 2 < (made[1] ?? 0) && (made[1] ?? 0) + 2 < (made[2] ?? 0),
        `${setting}: ${made.join()}`,
      );
    }
  });

  it('change the bright end by whites and the dark end by blacks', async () => {
    const picture = ramps();
    const plain = await relit(picture, {});
    const changeOf = async (
      settings: Partial<RelightSettings>,
      from: number,
      to: number,
    ): Promise<number> => {
      const made = await relit(picture, settings);
      const inside = plain.rgb.reduce(
        (places: number[], value, at) => (value >= from && value < to ? [...places.slice(-400), at] : places),
        [],
      );
      return inside.reduce((sum, at) => sum + (made.rgb[at] ?? 0) - (plain.rgb[at] ?? 0), 0) / inside.length;
    };
    assert.ok((await changeOf({ whites: 90 }, 170, 256)) > 4 * (await changeOf({ whites: 90 }, 20, 60)));
    assert.ok((await changeOf({ blacks: 90 }, 20, 60)) > 4 * (await changeOf({ blacks: 90 }, 170, 256)));
  });

  it('spread with contrast, and lose all color with a saturation of 0', async () => {
    const picture = ramps();
    const spread = ({ rgb }: Picture): number => {
      const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length;
      return Math.sqrt(rgb.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rgb.length);
    };
    const [flat, steep] = [await relit(picture, { contrast: 10 }), await relit(picture, { contrast: 90 })];
    assert.ok(spread(flat) + 5 < spread(steep));
    const grey = await relit(picture, { saturation: 0 });
    for (let at = 0; at < grey.rgb.length; at += 3) {
      assert.ok(Math.abs((grey.rgb[at] ?? 0) - (grey.rgb[at + 2] ?? 0)) <= 1);
    }
  });

  it('stay as they are at strength 0 with everything at 50', async () => {
    const picture = ramps();
    const same = await relit(picture, { strength: 0, prompt: 'night' });
    for (const [at, value] of picture.rgb.entries()) assert.ok(Math.abs(value - (same.rgb[at] ?? 0)) <= 1);
  });
});
