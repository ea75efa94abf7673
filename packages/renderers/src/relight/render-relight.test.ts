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

/** Small, but each face still has about thirty pixels across. */
const EDGES = { 'eileen-collins': 200, 'grace-hopper': 160, 'barack-obama': 160 };
type Person = keyof typeof EDGES;
const person = async (name: Person): Promise<Picture> => await photo(name, EDGES[name]);

const byPrompt = new Map<string, Promise<Picture>>();

/** A person relit by words, rendered once for all tests. */
async function relitBy(name: Person, prompt: string): Promise<Picture> {
  const key = `${name}: ${prompt}`;
  const made = byPrompt.get(key) ?? person(name).then(async (picture) => await relit(picture, { prompt }));
  byPrompt.set(key, made);
  return await made;
}

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
      const original = await person(name);
      const left = await relitBy(name, 'light from the left');
      const right = await relitBy(name, 'light from the right');
      for (const box of [FACES[name], [0, 0, 1, 1] as const]) {
        assert.ok(tilt(left, box) > 1.06 * tilt(original, box), 'from the left');
        assert.ok(tilt(right, box) < tilt(original, box) / 1.06, 'from the right');
      }
    });

    it(`draws no edges into ${name} that the photograph does not have`, async () => {
      const original = await person(name);
      for (const prompt of PROMPTS) {
        // The change of neighbors differs by little, even where the photograph has no detail.
        const step = steepestStep(original, await relitBy(name, prompt));
        assert.ok(step < 0.25, `${prompt}: ${step}`);
      }
    });

    it(`keeps the background of ${name}, which is not plain`, async () => {
      const kept = await relit(await person(name), { prompt: 'beach', changeBackground: false });
      assert.deepEqual((await relitBy(name, 'beach')).rgb, kept.rgb);
    });
  }

  it('does not burn out faces', async () => {
    const burnt = (red: number, green: number, blue: number): number =>
      Math.min(red, green, blue) > 250 ? 1 : 0;
    for (const name of PEOPLE) {
      for (const prompt of PROMPTS) {
        const lit = await relitBy(name, prompt);
        assert.ok(meanOf(lit, FACES[name], burnt) < 0.05, `${name}: ${prompt}`);
      }
    }
  });

  it('gives the light the color of the prompt', async () => {
    const name = 'eileen-collins';
    const [original, face] = [await person(name), FACES[name]];
    assert.ok(redToBlue(await relitBy(name, 'warm light'), face) > 1.12 * redToBlue(original, face));
    assert.ok(redToBlue(await relitBy(name, 'cold light'), face) < redToBlue(original, face) / 1.12);
    const sides = await relitBy(name, 'red light from the left and blue light from the right');
    const apart = (picture: Picture): number =>
      redToBlue(picture, [0, 0, 0.3, 1]) / redToBlue(picture, [0.7, 0, 1, 1]);
    assert.ok(apart(sides) > 1.3 * apart(original));
  });

  it('has a stronger effect with a weight, and ignores unknown words', async () => {
    const name = 'grace-hopper';
    const night = await relitBy(name, 'night');
    assert.ok(brightness(night) < 0.75 * brightness(await person(name)));
    assert.ok(brightness(await relitBy(name, '(night:1.4)')) < brightness(night) - 3);
    assert.deepEqual((await relitBy(name, 'a zebra, juggling')).rgb, (await relitBy(name, '')).rgb);
  });
});

describe('relighting from a picture', () => {
  it('takes direction and color of the light from a reference', async () => {
    const [original, face] = [await person('barack-obama'), FACES['barack-obama']];
    const scene = painted(100, 80, (x) => [40 + 210 * x, 30 + 120 * x, 60]);
    const lit = await relit(original, {}, { reference: scene });
    assert.ok(tilt(lit, face) < tilt(original, face) / 1.05);
    assert.ok(redToBlue(lit, face) > 1.05 * redToBlue(original, face));
    const night = await relit(original, { prompt: 'night' }, { reference: scene });
    assert.ok(brightness(night, face) < 0.85 * brightness(lit, face));
  });

  it('reads a light map as light: bright is lit, black is not, and its color is that of the light', async () => {
    const original = await person('eileen-collins');
    const map = painted(60, 60, (x) => (x < 0.4 ? [255, 90, 40] : [8, 8, 8]));
    const lit = await relit(original, {}, { lightMap: map });
    assert.ok(tilt(lit, [0, 0, 1, 1]) > 1.3 * tilt(original, [0, 0, 1, 1]));
    assert.ok(brightness(lit, [0.8, 0, 1, 1]) < 0.8 * brightness(original, [0.8, 0, 1, 1]));
    assert.ok(redToBlue(lit, [0, 0, 0.25, 1]) > 1.3 * redToBlue(original, [0, 0, 0.25, 1]));
  });
});

describe('what is changed and what is kept', () => {
  it('leaves the picture as it is at strength 0, and changes more the stronger it is', async () => {
    const original = await person('barack-obama');
    const changes: number[] = [];
    for (const strength of [0, 50, 100])
      changes.push(difference(original, await relit(original, { prompt: 'golden hour', strength })));
    const [none = 9, half = 0, full = 0] = changes;
    assert.ok(none < 0.3 && half > 1 && full > 1.3 * half, changes.join(', '));
  });

  it('interpolates from the original by the strength', async () => {
    const original = await photo('coffee', 120);
    const full = await relit(original, { prompt: 'sunset' });
    const half = await relit(original, { prompt: 'sunset', strength: 50, interpolateFromOriginal: true });
    const middle = original.rgb.map((value, at) => Math.round((value + (full.rgb[at] ?? 0)) / 2));
    assert.ok(difference(half, { ...original, rgb: middle }) < 0.8);
  });

  it('keeps texture with preserve_details, and smooths it without', async () => {
    const [cup, wood] = [await photo('coffee', 240), [0, 0.75, 0.25, 1] as const];
    const kept = await relit(cup, { prompt: 'light from the right' });
    const smoothed = await relit(cup, { prompt: 'light from the right', preserveDetails: false });
    assert.ok(
      texture(kept, wood) / brightness(kept, wood) > (0.85 * texture(cup, wood)) / brightness(cup, wood),
    );
    assert.ok(texture(smoothed, wood) < 0.85 * texture(kept, wood));
  });

  it('replaces a plain background behind a subject, without a fringe', async () => {
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

  it('replaces it by the blurred reference', async () => {
    const scene = painted(160, 120, (x) => (x < 0.5 ? [200, 40, 40] : [40, 60, 200]));
    const lit = await relit(BALL, {}, { reference: scene });
    assert.ok(redToBlue(lit, [0, 0, 0.15, 1]) > 1.5 && redToBlue(lit, [0.85, 0, 1, 1]) < 0.67);
  });
});

describe('one request, one picture', () => {
  it('makes the same picture when the generation is fixed, and otherwise varies it by the seed', async () => {
    const original = await person('eileen-collins');
    const take = async (seed: number, fixedGeneration: boolean): Promise<Picture> =>
      await relit(original, { prompt: 'light from the left', seed, fixedGeneration });
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
