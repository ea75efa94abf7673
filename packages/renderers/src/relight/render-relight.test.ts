import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stillLife } from '../samples/still-life.ts';
import {
  brightnessOf,
  difference,
  LEFT,
  meanOf,
  painted,
  person,
  RIGHT,
  relit,
  textureOf,
} from './test/relit.ts';

/** The face and the neck of the portrait. */
const FACE = (x: number, y: number): boolean => Math.abs(x - 0.5) < 0.16 && y > 0.3 && y < 0.65;
const CORNERS = (x: number, y: number): boolean => (x < 0.16 || x > 0.84) && y < 0.45;

function tilt(
  picture: Parameters<typeof brightnessOf>[0],
  region: (x: number, y: number) => boolean,
): number {
  const left = brightnessOf(picture, (x, y) => LEFT(x, y) && region(x, y));
  return left / brightnessOf(picture, (x, y) => RIGHT(x, y) && region(x, y));
}

describe('relighting by words', () => {
  it('brightens the side that the light comes from, on the subject and behind it', async () => {
    const picture = person();
    const left = await relit(picture, { prompt: 'light from the left' });
    const right = await relit(picture, { prompt: 'light from the right' });
    for (const region of [FACE, CORNERS]) {
      assert.ok(tilt(left, region) > tilt(picture, region) * 1.08, 'from the left');
      assert.ok(tilt(right, region) < tilt(picture, region) / 1.08, 'from the right');
    }
  });

  it('mirrors the light with its direction', async () => {
    const flat = painted(120, 120, (x, y) =>
      (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.09 ? [170, 130, 110] : [90, 95, 100],
    );
    const left = await relit(flat, { prompt: 'light from the left' });
    const right = await relit(flat, { prompt: 'light from the right' });
    const mirrored = { ...right, rgb: Uint8Array.from(right.rgb) };
    for (let at = 0; at < 120 * 120; at++) {
      const from = (Math.floor(at / 120) * 120 + 119 - (at % 120)) * 3;
      mirrored.rgb.set(right.rgb.subarray(from, from + 3), at * 3);
    }
    assert.ok(difference(left, mirrored) < 1.5, `${difference(left, mirrored)}`);
    assert.ok(difference(left, right) > 6);
  });

  it('falls across a round thing and not only across the picture', async () => {
    const ball = painted(140, 140, (x, y) =>
      (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.06 ? [150, 150, 150] : [70, 70, 70],
    );
    const lit = await relit(ball, { prompt: 'hard light from the left', changeBackground: false });
    const strip = (from: number): number =>
      brightnessOf(lit, (x, y) => Math.abs(y - 0.5) < 0.05 && Math.abs(x - from) < 0.03);
    // Across the ball light falls off far more than over the wall beside it.
    assert.ok(strip(0.34) / strip(0.66) > 1.5 * (strip(0.1) / strip(0.22)));
  });

  it('lays a rim along the outline where the light is behind', async () => {
    const disc = painted(140, 140, (x, y) =>
      (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.09 ? [120, 120, 120] : [45, 45, 45],
    );
    const lit = await relit(disc, { prompt: 'rim light', changeBackground: false });
    const ring = (inner: number, outer: number): number =>
      brightnessOf(lit, (x, y) => {
        const radius = Math.hypot(x - 0.5, y - 0.5);
        return radius > inner && radius < outer && x > 0.5 && y < 0.5;
      });
    assert.ok(ring(0.265, 0.29) > ring(0.1, 0.2) * 1.15);
  });

  it('gives the color of its words to the light', async () => {
    const picture = person();
    const ratio = (of: Parameters<typeof meanOf>[0]): number => meanOf(of, FACE)[0] / meanOf(of, FACE)[2];
    const [warm, cold] = [
      await relit(picture, { prompt: 'warm light' }),
      await relit(picture, { prompt: 'cold light' }),
    ];
    assert.ok(ratio(warm) > ratio(picture) * 1.15);
    assert.ok(ratio(cold) < ratio(picture) / 1.15);
    const sides = await relit(picture, { prompt: 'red light from the left and blue light from the right' });
    const [redLeft, , blueLeft] = meanOf(sides, (x, y) => LEFT(x, y) && FACE(x, y));
    const [redRight, , blueRight] = meanOf(sides, (x, y) => RIGHT(x, y) && FACE(x, y));
    assert.ok(redLeft / blueLeft > 1.3 * (redRight / blueRight));
  });

  it('is dark at night and bright at noon', async () => {
    const picture = person();
    const night = brightnessOf(await relit(picture, { prompt: 'at night' }), FACE);
    const noon = brightnessOf(await relit(picture, { prompt: 'high noon' }), FACE);
    assert.ok(night < brightnessOf(picture, FACE) * 0.7);
    assert.ok(noon > brightnessOf(picture, FACE));
  });

  it('does more where a phrase has a weight', async () => {
    const picture = person();
    const plain = await relit(picture, { prompt: 'night' });
    const heavy = await relit(picture, { prompt: '(night:1.4)' });
    assert.ok(brightnessOf(heavy, FACE) < brightnessOf(plain, FACE) - 3);
  });

  it('does with words it does not know what it does with none', async () => {
    const picture = person();
    assert.deepEqual(
      (await relit(picture, { prompt: 'a zebra, juggling' })).rgb,
      (await relit(picture, {})).rgb,
    );
  });
});

describe('relighting from a picture', () => {
  it('takes direction and color of the light from a reference', async () => {
    const picture = person();
    const scene = painted(100, 80, (x) => [40 + 210 * x, 30 + 120 * x, 60]);
    const lit = await relit(picture, {}, { reference: scene });
    assert.ok(tilt(lit, FACE) < tilt(picture, FACE) / 1.1);
    const [red, , blue] = meanOf(lit, (x, y) => RIGHT(x, y) && FACE(x, y));
    const before = meanOf(picture, (x, y) => RIGHT(x, y) && FACE(x, y));
    assert.ok(red / blue > 1.2 * (before[0] / before[2]));
  });

  it('takes a light map as light: bright is lit, black is not, and its color is that of the light', async () => {
    const picture = person();
    const map = painted(60, 60, (x) => (x < 0.4 ? [255, 90, 40] : [8, 8, 8]));
    const lit = await relit(picture, {}, { lightMap: map });
    assert.ok(tilt(lit, FACE) > tilt(picture, FACE) * 1.3);
    assert.ok(brightnessOf(lit, (x) => x > 0.8) < brightnessOf(picture, (x) => x > 0.8) * 0.8);
    const [red, , blue] = meanOf(lit, (x) => x < 0.25);
    assert.ok(red > blue * 1.5);
  });

  it('changes the light of a reference by the words of a prompt', async () => {
    const picture = person();
    const scene = painted(80, 80, (x) => [60 + 160 * x, 60 + 150 * x, 60 + 140 * x]);
    const plain = await relit(picture, {}, { reference: scene });
    const night = await relit(picture, { prompt: 'night' }, { reference: scene });
    assert.ok(brightnessOf(night, FACE) < brightnessOf(plain, FACE) * 0.85);
    assert.ok(tilt(night, FACE) < tilt(picture, FACE));
  });
});

describe('what is changed and what is kept', () => {
  it('leaves the picture as it is at strength 0, and changes more the stronger it is', async () => {
    const picture = person();
    const prompt = 'golden hour';
    const changes: number[] = [];
    for (const strength of [0, 25, 50, 75, 100])
      changes.push(difference(picture, await relit(picture, { prompt, strength })));
    assert.ok((changes[0] ?? 9) < 0.3, `${changes[0]}`);
    for (let at = 1; at < changes.length; at++)
      assert.ok((changes[at] ?? 0) > (changes[at - 1] ?? 0) + 1, changes.join());
  });

  it('interpolates from the original by the strength', async () => {
    const picture = person();
    const full = await relit(picture, { prompt: 'sunset' });
    const half = await relit(picture, { prompt: 'sunset', strength: 50, interpolateFromOriginal: true });
    const middle = {
      ...picture,
      rgb: picture.rgb.map((value, at) => Math.round((value + (full.rgb[at] ?? 0)) / 2)),
    };
    assert.ok(difference(half, middle) < 0.8);
    assert.ok(difference(half, await relit(picture, { prompt: 'sunset', strength: 50 })) > 1);
  });

  it('keeps texture and letters with preserveDetails, and smooths them without', async () => {
    const still = stillLife({ size: 200 });
    const { left, top, width, height } = still.label;
    const label = (x: number, y: number): boolean =>
      x * 200 > left && x * 200 < left + width && y * 200 > top && y * 200 < top + height;
    const wood = (x: number, y: number): boolean => x < 0.25 && y > 0.75;
    const kept = await relit(still, { prompt: 'light from the left' });
    const smoothed = await relit(still, { prompt: 'light from the left', preserveDetails: false });
    for (const region of [label, wood]) {
      assert.ok(textureOf(kept, region) > textureOf(still, region) * 0.9);
      assert.ok(textureOf(smoothed, region) < textureOf(kept, region) * 0.95);
    }
    assert.ok(textureOf(smoothed, wood) < textureOf(kept, wood) * 0.7);
  });

  it('puts a new background behind the subject only where that is wanted', async () => {
    const picture = person();
    const changed = await relit(picture, { prompt: 'sunset' });
    const kept = await relit(picture, { prompt: 'sunset', changeBackground: false });
    assert.ok(difference(changed, kept, CORNERS) > 20);
    assert.ok(difference(changed, kept, FACE) < 8);
    assert.ok(Math.abs(textureOf(changed, FACE) / textureOf(kept, FACE) - 1) < 0.15);
  });

  it('shows the blurred scene of the reference behind the subject', async () => {
    const scene = painted(144, 180, (x) => (x < 0.5 ? [200, 40, 40] : [40, 60, 200]));
    const lit = await relit(person(), {}, { reference: scene });
    const [redLeft, , blueLeft] = meanOf(lit, (x, y) => x < 0.12 && y < 0.4);
    const [redRight, , blueRight] = meanOf(lit, (x, y) => x > 0.88 && y < 0.4);
    assert.ok(redLeft > blueLeft * 1.5 && blueRight > redRight * 1.5);
  });

  it('leaves what the subject stands on', async () => {
    const still = stillLife({ size: 200 });
    const lit = await relit(still, { prompt: 'neon' });
    const table = (x: number, y: number): boolean => x < 0.25 && y > 0.78;
    assert.ok(textureOf(lit, table) > 0.5 * textureOf(still, table));
  });
});

describe('one request, one picture', () => {
  it('makes the same picture again, whatever the seed, when the generation is fixed', async () => {
    const picture = person();
    const once = await relit(picture, { prompt: 'forest', seed: 1 });
    assert.deepEqual((await relit(picture, { prompt: 'forest', seed: 99 })).rgb, once.rgb);
  });

  it('makes another take of the same light with another seed otherwise', async () => {
    const picture = person();
    const takes = { prompt: 'light from the left', fixedGeneration: false };
    const [one, two] = [
      await relit(picture, { ...takes, seed: 1 }),
      await relit(picture, { ...takes, seed: 2 }),
    ];
    assert.deepEqual((await relit(picture, { ...takes, seed: 1 })).rgb, one.rgb);
    assert.ok(difference(one, two) > 0.5);
    assert.ok(tilt(one, FACE) > tilt(picture, FACE) && tilt(two, FACE) > tilt(picture, FACE));
  });
});
