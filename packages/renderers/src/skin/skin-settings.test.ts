import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SkinPurpose, SkinSettings } from '../render-request.ts';
import { PART, portrait } from '../samples/portrait.ts';
import { gaussian } from '../samples/portrait-noise.ts';
import { fineDetail, lumaAt, meanDifference, meanOn, rendered, type Samples } from './test/a-render.ts';

const PERSON = portrait({ width: 208, height: 208, seed: 4, skinTone: 'light' });

/** A ramp from black to white. */
const RAMP: Samples = {
  width: 256,
  height: 96,
  rgb: new Uint8Array(256 * 96 * 3).map((_, at) => Math.floor(at / 3) % 256),
};

async function each<Value>(
  levels: readonly number[],
  settings: (level: number) => Partial<SkinSettings>,
  measure: (rgb: Uint8Array) => Value,
): Promise<Value[]> {
  return await Promise.all(levels.map(async (level) => measure(await rendered(PERSON, settings(level)))));
}

function assertRising(values: readonly number[], by: number): void {
  for (const [index, value] of values.entries()) {
    const before = values[index - 1];
    if (before !== undefined) assert.ok(value > before * by, values.join(', '));
  }
}

describe('the settings of the skin enhancer', () => {
  it('leave a picture as it is when all are 0', async () => {
    const result = await rendered(PERSON, {});
    assert.ok(result.every((value, at) => Math.abs(value - (PERSON.rgb[at] ?? 0)) <= 1));
  });

  it('bring out more texture of the skin, and only of the skin, the more skinDetail', async () => {
    const results = await each(
      [0, 30, 60, 100],
      (skinDetail) => ({ skinDetail }),
      (rgb) => rgb,
    );
    assertRising(
      results.map((rgb) => fineDetail(PERSON, rgb, PART.skin)),
      1.05,
    );
    const [none = PERSON.rgb, , , most = PERSON.rgb] = results;
    const ofEyes = fineDetail(PERSON, most, PART.eye) / fineDetail(PERSON, none, PART.eye);
    assert.ok(Math.abs(ofEyes - 1) < 0.03, `eyes ${ofEyes}`);
    assert.ok(meanOn(PERSON, PART.background, (at) => Math.abs(lumaAt(most, at) - lumaAt(none, at))) < 0.05);
  });

  it('even out the color of the skin, the more skinDetail', async () => {
    const uneven = await each(
      [0, 50, 100],
      (skinDetail) => ({ skinDetail }),
      (rgb) => {
        const red = (at: number): number => (rgb[at * 3] ?? 0) - lumaAt(rgb, at);
        const mean = meanOn(PERSON, PART.skin, red);
        return meanOn(PERSON, PART.skin, (at) => (red(at) - mean) ** 2);
      },
    );
    assertRising(uneven.toReversed(), 1.02);
  });

  it('make edges stronger, the more sharpen', async () => {
    const details = await each(
      [0, 25, 50, 100],
      (sharpen) => ({ sharpen }),
      (rgb) => fineDetail(PERSON, rgb, PART.eye),
    );
    assertRising(details, 1.03);
  });

  it('leave noise as it is with sharpen', async () => {
    const rgb = new Uint8Array(80 * 80 * 3).map((_, at) => 120 + 2 * gaussian(Math.floor(at / 3), at % 3, 9));
    const spread = (samples: Uint8Array): number =>
      Math.sqrt(samples.reduce((sum, value) => sum + (value - 120) ** 2, 0) / samples.length);
    const result = await rendered({ width: 80, height: 80, rgb }, { sharpen: 100 });
    assert.ok(spread(result) < 1.06 * spread(rgb), `${spread(rgb)}, then ${spread(result)}`);
  });

  it('put no halo beside an edge with sharpen', async () => {
    const rgb = new Uint8Array(64 * 64 * 3).map((_, at) => (Math.floor(at / 3) % 64 < 32 ? 60 : 180));
    const result = await rendered({ width: 64, height: 64, rgb }, { sharpen: 100 });
    assert.ok(Math.min(...result) >= 60 - 30 && Math.max(...result) <= 180 + 30);
    const far = result.filter((_, at) => Math.abs((Math.floor(at / 3) % 64) - 31.5) > 2);
    assert.ok(far.every((value) => value === 60 || value === 180));
  });

  it('add grain that is strongest in the mid-tones and stronger the more smartGrain', async () => {
    const plain = await rendered(RAMP, {});
    const spread = (rgb: Uint8Array, from: number, to: number): number => {
      let [sum, count] = [0, 0];
      for (let at = 0; at < rgb.length; at++) {
        const column = Math.floor(at / 3) % 256;
        if (column < from || column >= to) continue;
        sum += ((rgb[at] ?? 0) - (plain[at] ?? 0)) ** 2;
        count++;
      }
      return Math.sqrt(sum / count);
    };
    const results = await Promise.all(
      [10, 40, 100].map(async (smartGrain) => await rendered(RAMP, { smartGrain })),
    );
    assertRising(
      results.map((rgb) => spread(rgb, 100, 150)),
      1.3,
    );
    for (const rgb of results) {
      assert.ok(spread(rgb, 100, 150) > 2 * spread(rgb, 4, 24));
      assert.ok(spread(rgb, 100, 150) > 2 * spread(rgb, 232, 252));
    }
  });

  it('give the same picture for the same seed, and another for another', async () => {
    const settings = { mode: 'creative', smartGrain: 30, sharpen: 20 } as const;
    const [first, again, other] = await Promise.all([
      rendered(PERSON, { ...settings, seed: 5 }),
      rendered(PERSON, { ...settings, seed: 5 }),
      rendered(PERSON, { ...settings, seed: 6 }),
    ]);
    assert.deepEqual(first, again);
    assert.ok(meanDifference(first, other) > 0.5);
  });
});

describe('the modes of the skin enhancer', () => {
  it('differ from each other and from the original, creative the most', async () => {
    const purposes: readonly SkinPurpose[] = [
      'enhance_skin',
      'improve_lighting',
      'enhance_everything',
      'transform_to_real',
      'no_make_up',
    ];
    const results = await Promise.all([
      rendered(PERSON, { skinDetail: 80 }),
      rendered(PERSON, { mode: 'creative' }),
      ...purposes.map(async (optimizedFor) => await rendered(PERSON, { mode: 'flexible', optimizedFor })),
    ]);
    const all = [PERSON.rgb, ...results];
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1))
        assert.ok(meanDifference(one, other) > 0.15, `${meanDifference(one, other)}`);
    }
    const [faithful, creative] = results;
    assert.ok(meanDifference(creative, PERSON.rgb) > 2 * meanDifference(faithful, PERSON.rgb));
  });

  it('improve_lighting lifts the dark side of a face more than the bright one', async () => {
    const result = await rendered(PERSON, { mode: 'flexible', optimizedFor: 'improve_lighting' });
    const lift = (from: number, to: number): number =>
      meanOn(PERSON, PART.skin, (at) => {
        const before = lumaAt(PERSON.rgb, at);
        return before >= from && before < to ? lumaAt(result, at) - before : 0;
      });
    assert.ok(lift(0, 100) > 1 && lift(0, 100) > lift(170, 256));
  });

  it('enhance_everything brings out cloth and hair too', async () => {
    const [skin, everything] = await Promise.all(
      (['enhance_skin', 'enhance_everything'] as const).map(
        async (optimizedFor) => await rendered(PERSON, { mode: 'flexible', optimizedFor }),
      ),
    );
    for (const part of [PART.cloth, PART.hair]) {
      assert.ok(
        fineDetail(PERSON, everything ?? PERSON.rgb, part) >
          1.15 * fineDetail(PERSON, skin ?? PERSON.rgb, part),
      );
    }
  });

  it('transform_to_real gives plastic skin texture and less color', async () => {
    const doll = portrait({ width: 208, height: 208, seed: 4, skinTone: 'brown', finish: 'plastic' });
    const result = await rendered(doll, { mode: 'flexible', optimizedFor: 'transform_to_real' });
    const [before, after] = [fineDetail(doll, doll.rgb, PART.skin), fineDetail(doll, result, PART.skin)];
    assert.ok(after > 1.5 * before, `${before}, then ${after}`);
    const color = (rgb: Uint8Array): number =>
      meanOn(doll, PART.skin, (at) => (rgb[at * 3] ?? 0) - (rgb[at * 3 + 2] ?? 0));
    assert.ok(color(result) < 0.95 * color(doll.rgb));
  });

  it('no_make_up takes the red from lips and cheeks, and leaves eyes and a bare face', async () => {
    const made = portrait({ width: 208, height: 208, seed: 4, skinTone: 'light', makeUp: true });
    const settings = { mode: 'flexible', optimizedFor: 'no_make_up' } as const;
    const result = await rendered(made, settings);
    const red = (rgb: Uint8Array, part: number): number =>
      meanOn(made, part, (at) => (rgb[at * 3] ?? 0) - (rgb[at * 3 + 1] ?? 0));
    assert.ok(red(result, PART.lips) < 0.75 * red(made.rgb, PART.lips), `${red(result, PART.lips)}`);
    const bare = red(PERSON.rgb, PART.skin);
    assert.ok(Math.abs(red(result, PART.skin) - bare) < 0.7 * Math.abs(red(made.rgb, PART.skin) - bare));
    const ofEyes = meanOn(made, PART.eye, (at) => Math.abs(lumaAt(result, at) - lumaAt(made.rgb, at)));
    assert.ok(ofEyes < 4, `eyes ${ofEyes}`);
    const untouched = await rendered(PERSON, settings);
    assert.ok(red(untouched, PART.lips) > 0.7 * red(PERSON.rgb, PART.lips));
  });
});
