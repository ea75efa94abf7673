import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { freshMemory, noiseImage, noiseMask } from '../../test/run-node.ts';
import { bytesFromFloats } from './bytes.ts';
import { type PillowFilter, pillowBytes } from './pillow-resize.ts';
import { type UpscaleMethod, upscale } from './upscale.ts';

interface Scaled {
  readonly shape: readonly [number, number, number, number];
  readonly seed: number;
  readonly beyond: number;
  readonly width: number;
  readonly height: number;
  readonly method: UpscaleMethod;
  readonly crop: 'disabled' | 'center';
  readonly every: number;
  readonly data: string;
}

interface Resampled {
  readonly shape: readonly [number, number, number];
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly filter: PillowFilter;
  readonly sha256: string;
}

const { scaled, resampled } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/resize.json', import.meta.url), 'utf8'),
) as { readonly scaled: readonly Scaled[]; readonly resampled: readonly Resampled[] };

const tools = { memory: freshMemory, checkpoint() {} };

function source({ shape: [batch, height, width, channels], seed, beyond }: Scaled) {
  return noiseImage({ batch, height, width, channels }, { seed, beyond });
}

for (const method of ['nearest-exact', 'bilinear', 'area', 'bicubic'] as const) {
  // Equal areas are a hair from the next byte, so that the least difference shows.
  const isExact = method !== 'area';
  test(`${method} gives what PyTorch gives, ${isExact ? 'to the bit' : 'within 1e-5'}`, () => {
    const cases = scaled.filter((item) => item.method === method);
    assert.ok(cases.length > 0);
    for (const item of cases) {
      const { data } = upscale(source(item), item, tools);
      const expected = new Float32Array(new Uint8Array(Buffer.from(item.data, 'base64')).buffer);
      const label = `${item.shape.join(' × ')} to ${item.width} × ${item.height}, ${item.crop}`;
      assert.equal(Math.ceil(data.length / item.every), expected.length, label);
      for (const [index, value] of expected.entries()) {
        const actual = data[index * item.every] ?? Number.NaN;
        const allowed = isExact ? 0 : 1e-5 * Math.abs(value) + 1e-6;
        assert.ok(Math.abs(actual - value) <= allowed, `${label}: element ${index}: ${actual}, not ${value}`);
      }
    }
  });
}

test('lanczos gives the bytes Pillow gives, as floats', () => {
  const cases = scaled.filter((item) => item.method === 'lanczos');
  assert.ok(cases.length > 0);
  for (const item of cases) {
    const { data } = upscale(source(item), item, tools);
    const expected = Float32Array.from(Buffer.from(item.data, 'base64'), (byte) => byte / 255);
    assert.deepEqual(
      data,
      expected,
      `${item.shape.join(' × ')} to ${item.width} × ${item.height}, ${item.crop}`,
    );
  }
});

for (const filter of ['bilinear', 'lanczos'] as const) {
  test(`Pillow's ${filter} is the same to the bit, whichever pass comes first`, () => {
    for (const item of resampled.filter((each) => each.filter === filter)) {
      const [height, width, channels] = item.shape;
      const floats = noiseImage({ height, width, channels }, { seed: item.seed, beyond: 0.3 });
      const bytes = new Uint8Array(floats.data.length);
      bytesFromFloats(floats.data, 0, bytes);
      const result = pillowBytes(bytes, { width, height, channels }, item, tools);
      const hash = createHash('sha256').update(result).digest('hex');
      assert.equal(hash, item.sha256, `${item.shape.join(' × ')} to ${item.width} × ${item.height}`);
    }
  });
}

test('a mask is resized as a picture of one channel', () => {
  const mask = noiseMask({ batch: 2, height: 9, width: 13 });
  const image = { ...mask, channels: 1 };
  for (const method of ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] as const) {
    const size = { width: 5, height: 17, method, crop: 'center' } as const;
    const result = upscale(mask, size, tools);
    assert.equal('channels' in result, false);
    assert.deepEqual(result.data, upscale(image, size, tools).data);
  }
});

test('a picture that keeps its size is not copied, except by lanczos, which leaves 8 bits of it', () => {
  const image = noiseImage({ height: 4, width: 5 });
  assert.equal(upscale(image, { width: 5, height: 4, method: 'bicubic' }, tools), image);
  const { data } = upscale(image, { width: 5, height: 4, method: 'lanczos' }, tools);
  const cut = Float32Array.from(image.data, (value) => Math.floor(Math.fround(value * 255)) / 255);
  assert.deepEqual(data, cut);
});

test('what is not a number becomes black in lanczos and what is infinite white', () => {
  const image = noiseImage({ height: 1, width: 3, channels: 1 });
  image.data.set([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const { data } = upscale(image, { width: 3, height: 1, method: 'lanczos' }, tools);
  assert.deepEqual([...data], [0, 1, 0]);
});

test('sizes of nothing are refused with a sentence', () => {
  const image = noiseImage({ height: 2, width: 2 });
  for (const size of [
    { width: 0, height: 5 },
    { width: 5, height: Number.NaN },
  ]) {
    assert.throws(() => upscale(image, { ...size, method: 'area' }, tools), /both sides must be at least 1/);
  }
  const long = { width: 1, height: 900, method: 'area', crop: 'center' } as const;
  assert.throws(() => upscale(image, long, tools), /cannot be cropped to the proportions/);
});

test('cancelling stops in the middle of a picture', () => {
  const image = noiseImage({ height: 400, width: 3 });
  for (const method of ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] as const) {
    let calls = 0;
    const checkpoint = (): void => {
      calls += 1;
      if (calls === 4) throw new Error('stopped');
    };
    const size = { width: 2, height: 200, method } as const;
    assert.throws(() => upscale(image, size, { memory: freshMemory, checkpoint }), /stopped/);
  }
});

test('a source is never changed', () => {
  const bytes = new Uint8Array(4 * 4 * 4).fill(77);
  pillowBytes(bytes, { width: 4, height: 4, channels: 4 }, { width: 3, height: 2, filter: 'lanczos' }, tools);
  assert.ok(bytes.every((byte) => byte === 77));
});
