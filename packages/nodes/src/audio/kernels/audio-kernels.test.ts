import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { noiseImage } from '../../test/run-node.ts';
import { applyBiquad, highShelf, lowShelf, peak } from './biquad.ts';
import { resample, resampledLength } from './resample.ts';

interface Fixtures {
  readonly resample: readonly { seed: number; fromRate: number; toRate: number; data: string }[];
  readonly biquad: readonly {
    kind: 'lowShelf' | 'peak' | 'highShelf';
    seed: number;
    sampleRate: number;
    gainDb: number;
    frequency: number;
    q: number;
    data: string;
  }[];
}

const fixtures = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/audio.json', import.meta.url), 'utf8'),
) as Fixtures;
const filters = { lowShelf, peak, highShelf };

function unpack(text: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
}

function noise(channels: number, samples: number, seed: number, scale = 1): Float32Array {
  const { data } = noiseImage({ height: channels, width: samples, channels: 1 }, { seed });
  return data.map((value) => Math.fround(value * 2 - 1) * scale);
}

for (const { seed, fromRate, toRate, data } of fixtures.resample) {
  test(`resampling ${fromRate} to ${toRate} Hz gives what torchaudio gives`, () => {
    const source = noise(2, 300, seed);
    const expected = unpack(data);
    const length = resampledLength(300, fromRate, toRate);
    assert.equal(length, expected.length / 2);
    for (const channel of [0, 1]) {
      const target = new Float32Array(length).fill(Number.NaN);
      resample(source.subarray(channel * 300, (channel + 1) * 300), target, { fromRate, toRate }, () => {});
      target.forEach((value, n) => {
        const wanted = expected[channel * length + n] ?? Number.NaN;
        assert.ok(
          Math.abs(value - wanted) <= 1e-5 * Math.abs(wanted) + 1e-6,
          `sample ${n}: ${value}, not ${wanted}`,
        );
      });
    }
  });
}

for (const { kind, seed, data, ...band } of fixtures.biquad) {
  test(`a ${kind} of ${band.gainDb} dB at ${band.frequency} Hz gives what torchaudio gives`, () => {
    const source = noise(1, 400, seed, 0.5);
    const target = new Float32Array(400);
    applyBiquad(source, target, filters[kind](band), () => {});
    // The cosine of PyTorch is sometimes one unit off in its last place, which a filter that feeds back makes larger.
    unpack(data).forEach((wanted, n) => {
      assert.ok(
        Math.abs((target[n] ?? Number.NaN) - wanted) <= 2e-5,
        `sample ${n}: ${target[n]}, not ${wanted}`,
      );
    });
  });
}

test('a filter may write over its source', () => {
  const source = noise(1, 50, 3);
  const apart = new Float32Array(50);
  const band = peak({ sampleRate: 8000, frequency: 900, gainDb: 5, q: 1 });
  applyBiquad(source, apart, band, () => {});
  applyBiquad(source, source, band, () => {});
  assert.deepEqual(source, apart);
});

test('rates without a common divisor need no huge filter', () => {
  const target = new Float32Array(resampledLength(1000, 44099, 48001));
  resample(new Float32Array(1000).fill(1), target, { fromRate: 44099, toRate: 48001 }, () => {});
  assert.ok(Math.abs((target[500] ?? 0) - 1) < 0.01);
});

test('a long resampling can be stopped', () => {
  const stop = new Error('stop');
  let calls = 0;
  assert.throws(
    () =>
      resample(new Float32Array(200_000), new Float32Array(200_000), { fromRate: 8000, toRate: 8001 }, () => {
        calls += 1;
        if (calls === 2) throw stop;
      }),
    stop,
  );
});

test('nothing becomes nothing', () => {
  assert.equal(resampledLength(0, 8000, 48000), 0);
  resample(new Float32Array(0), new Float32Array(0), { fromRate: 8000, toRate: 48000 }, () => {});
});
