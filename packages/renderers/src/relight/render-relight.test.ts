import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Box,
  brightness,
  difference,
  meanOf,
  painted,
  photo,
  relit,
  texture,
} from '../../test/rendered.ts';
import type { Picture } from '../pixels/picture.ts';

const FACES = {
  'eileen-collins': [0.36, 0.14, 0.51, 0.32],
  'grace-hopper': [0.36, 0.22, 0.64, 0.5],
  'barack-obama': [0.43, 0.06, 0.66, 0.3],
} as const;
const PEOPLE = ['eileen-collins', 'grace-hopper', 'barack-obama'] as const;
const PROMPTS = [
  'hard light from the left',
  'sunset from behind',
  'night',
  'neon',
  'forest, god rays',
  'candlelight',
];

/** How much brighter the left half of a part is than its right half. */
function tilt(picture: Picture, [left, top, right, bottom]: Box): number {
  const middle = (left + right) / 2;
  return brightness(picture, [left, top, middle, bottom]) / brightness(picture, [middle, top, right, bottom]);
}

const redToBlue = (picture: Picture, box: Box): number =>
  meanOf(picture, box, (red) => red) / meanOf(picture, box, (_, __, blue) => blue);

/** A red ball before a plain gray wall that gets darker to the right. */
const BALL = painted(160, 120, (x, y) =>
  ((x - 0.5) * 4) ** 2 + ((y - 0.5) * 3) ** 2 < 1
    ? [190, 60, 50]
    : [200 - 40 * x, 205 - 40 * x, 210 - 40 * x],
);

describe('relighting photographs by words', () => {
  for (const name of PEOPLE) {
    it(`brightens the side of ${name} that the light comes from`, async () => {
      const person = await photo(name);
      const left = await relit(person, { prompt: 'light from the left' });
      const right = await relit(person, { prompt: 'light from the right' });
      for (const box of [FACES[name], [0, 0, 1, 1] as const]) {
        assert.ok(tilt(left, box) > 1.06 * tilt(person, box), 'from the left');
        assert.ok(tilt(right, box) < tilt(person, box) / 1.06, 'from the right');
      }
    });

    it(`draws no edges into ${name} that the photograph does not have`, async () => {
      const person = await photo(name);
      for (const prompt of PROMPTS) {
        const lit = await relit(person, { prompt });
        // The change of neighbors differs by little, even where the photograph has no detail.
        const step = steepestStep(person, lit);
        assert.ok(step < 0.25, `${prompt}: ${step}`);
      }
    });

    it(`keeps the background of ${name}, which is not plain`, async () => {
      const person = await photo(name);
      const [changed, kept] = [
        await relit(person, { prompt: 'beach' }),
        await relit(person, { prompt: 'beach', changeBackground: false }),
      ];
      assert.deepEqual(changed.rgb, kept.rgb);
    });
  }

  it('does not burn out faces', async () => {
    const burnt = (red: number, green: number, blue: number): number =>
      Math.min(red, green, blue) > 250 ? 1 : 0;
    for (const name of PEOPLE) {
      for (const prompt of PROMPTS) {
        const lit = await relit(await photo(name), { prompt });
        assert.ok(meanOf(lit, FACES[name], burnt) < 0.05, `${name}: ${prompt}`);
      }
    }
  });

  it('gives the color of its words to the light', async () => {
    const [person, face] = [await photo('eileen-collins'), FACES['eileen-collins']];
    assert.ok(
      redToBlue(await relit(person, { prompt: 'warm light' }), face) > 1.12 * redToBlue(person, face),
    );
    assert.ok(
      redToBlue(await relit(person, { prompt: 'cold light' }), face) < redToBlue(person, face) / 1.12,
    );
    const sides = await relit(person, { prompt: 'red light from the left and blue light from the right' });
    const apart = (picture: Picture): number =>
      redToBlue(picture, [0, 0, 0.3, 1]) / redToBlue(picture, [0.7, 0, 1, 1]);
    assert.ok(apart(sides) > 1.3 * apart(person));
  });

  it('does more with a weight, and nothing with words it does not know', async () => {
    const person = await photo('grace-hopper');
    const [night, heavy] = [
      await relit(person, { prompt: 'night' }),
      await relit(person, { prompt: '(night:1.4)' }),
    ];
    assert.ok(brightness(night) < 0.75 * brightness(person));
    assert.ok(brightness(heavy) < brightness(night) - 3);
    assert.deepEqual(
      (await relit(person, { prompt: 'a zebra, juggling' })).rgb,
      (await relit(person, {})).rgb,
    );
  });
});

describe('relighting from a picture', () => {
  it('takes direction and color of the light from a reference', async () => {
    const [person, face] = [await photo('barack-obama'), FACES['barack-obama']];
    const scene = painted(100, 80, (x) => [40 + 210 * x, 30 + 120 * x, 60]);
    const lit = await relit(person, {}, { reference: scene });
    assert.ok(tilt(lit, face) < tilt(person, face) / 1.05);
    assert.ok(redToBlue(lit, face) > 1.05 * redToBlue(person, face));
    const night = await relit(person, { prompt: 'night' }, { reference: scene });
    assert.ok(brightness(night, face) < 0.85 * brightness(lit, face));
  });

  it('takes a light map as light: bright is lit, black is not, and its color is that of the light', async () => {
    const person = await photo('eileen-collins');
    const map = painted(60, 60, (x) => (x < 0.4 ? [255, 90, 40] : [8, 8, 8]));
    const lit = await relit(person, {}, { lightMap: map });
    assert.ok(tilt(lit, [0, 0, 1, 1]) > 1.3 * tilt(person, [0, 0, 1, 1]));
    assert.ok(brightness(lit, [0.8, 0, 1, 1]) < 0.8 * brightness(person, [0.8, 0, 1, 1]));
    assert.ok(redToBlue(lit, [0, 0, 0.25, 1]) > 1.3 * redToBlue(person, [0, 0, 0.25, 1]));
  });
});

describe('what is changed and what is kept', () => {
  it('leaves the picture as it is at strength 0, and changes more the stronger it is', async () => {
    const person = await photo('barack-obama', 200);
    const changes: number[] = [];
    for (const strength of [0, 50, 100])
      changes.push(difference(person, await relit(person, { prompt: 'golden hour', strength })));
    const [none = 9, half = 0, full = 0] = changes;
    assert.ok(none < 0.3 && half > 1 && full > 1.3 * half, changes.join(', '));
  });

  it('interpolates from the original by the strength', async () => {
    const person = await photo('coffee', 200);
    const full = await relit(person, { prompt: 'sunset' });
    const half = await relit(person, { prompt: 'sunset', strength: 50, interpolateFromOriginal: true });
    const middle = person.rgb.map((value, at) => Math.round((value + (full.rgb[at] ?? 0)) / 2));
    assert.ok(difference(half, { ...person, rgb: middle }) < 0.8);
  });

  it('keeps texture with preserve_details, and smooths it without', async () => {
    const [cup, wood] = [await photo('coffee'), [0, 0.75, 0.25, 1] as const];
    const kept = await relit(cup, { prompt: 'light from the right' });
    const smoothed = await relit(cup, { prompt: 'light from the right', preserveDetails: false });
    assert.ok(
      texture(kept, wood) / brightness(kept, wood) > (0.85 * texture(cup, wood)) / brightness(cup, wood),
    );
    assert.ok(texture(smoothed, wood) < 0.85 * texture(kept, wood));
  });

  it('puts a new background behind a subject that stands before a plain one, and leaves no fringe', async () => {
    const changed = await relit(BALL, { prompt: 'night' });
    const kept = await relit(BALL, { prompt: 'night', changeBackground: false });
    const [corner, ball]: Box[] = [
      [0, 0, 0.15, 0.4],
      [0.42, 0.4, 0.58, 0.6],
    ];
    assert.ok(corner !== undefined && ball !== undefined);
    assert.ok(brightness(changed, corner) < 0.6 * brightness(kept, corner));
    assert.ok(difference(changed, kept, ball) < 6);
    const beside = Math.max(
      ...[0.18, 0.2, 0.22, 0.24].map((x) => brightness(changed, [x, 0.48, x + 0.01, 0.52])),
    );
    assert.ok(beside < brightness(changed, ball) + 12, `${beside} beside the ball`);
  });

  it('shows the blurred scene of a reference there', async () => {
    const scene = painted(160, 120, (x) => (x < 0.5 ? [200, 40, 40] : [40, 60, 200]));
    const lit = await relit(BALL, {}, { reference: scene });
    assert.ok(redToBlue(lit, [0, 0, 0.15, 1]) > 1.5 && redToBlue(lit, [0.85, 0, 1, 1]) < 0.67);
  });
});

describe('one request, one picture', () => {
  it('makes the same picture again when the generation is fixed, and another take with another seed otherwise', async () => {
    const person = await photo('eileen-collins', 200);
    const take = async (seed: number, fixedGeneration: boolean): Promise<Picture> =>
      await relit(person, { prompt: 'light from the left', seed, fixedGeneration });
    assert.deepEqual((await take(99, true)).rgb, (await take(1, true)).rgb);
    assert.deepEqual((await take(1, false)).rgb, (await take(1, false)).rgb);
    assert.ok(difference(await take(1, false), await take(2, false)) > 0.3);
  });
});

/** The largest difference between neighboring pixels in how much they were changed, relative to their brightness. */
function steepestStep(before: Picture, after: Picture): number {
  const { width, height } = before;
  const gain = (at: number): number => {
    const sum = ({ rgb }: Picture): number => (rgb[at] ?? 0) + (rgb[at + 1] ?? 0) + (rgb[at + 2] ?? 0);
    return (60 + sum(after)) / (60 + sum(before));
  };
  const flat = (at: number, other: number): boolean =>
    [0, 1, 2].every(
      (channel) => Math.abs((before.rgb[at + channel] ?? 0) - (before.rgb[other + channel] ?? 0)) < 4,
    );
  let steepest = 0;
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * 3;
      for (const other of [at - 3, at - width * 3]) {
        if (flat(at, other)) steepest = Math.max(steepest, Math.abs(gain(at) / gain(other) - 1));
      }
    }
  }
  return steepest;
}
