import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { filterNodes } from './filter-nodes.ts';

interface Spec {
  readonly shape: readonly [number, number, number, number];
  readonly seed: number;
  readonly beyond: number;
  readonly blocks: number;
}

interface Case {
  readonly node: string;
  readonly inputs: Readonly<Record<string, Spec>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expected: readonly {
    readonly shape: readonly number[];
    readonly type: 'u1' | 'f4';
    readonly data: string;
  }[];
}

const cases = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/filters.json', import.meta.url), 'utf8'),
) as readonly Case[];

function given({ shape: [batch, height, width, channels], seed, beyond, blocks }: Spec): Image {
  const noise = noiseImage({ batch, height, width, channels }, { seed, beyond });
  if (blocks === 0) return noise;
  const data = noise.data.map((_, index) => {
    const pixel = Math.floor(index / channels);
    const [x, line] = [pixel % width, Math.floor(pixel / width)];
    const y = line % height;
    const from = (line - (y % blocks)) * width + x - (x % blocks);
    return Math.round(noise.data[from * channels + (index % channels)]!);
  });
  return { ...noise, data };
}

function decode({ type, data }: Case['expected'][number]): Float32Array {
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  return type === 'u1' ? Float32Array.from(bytes) : new Float32Array(bytes.buffer);
}

function parameters({
  stats,
  target_index,
  seed,
  ...rest
}: Case['params']): Readonly<Record<string, unknown>> {
  if (typeof seed === 'number') return { ...rest, seed: BigInt(seed) };
  return stats === undefined ? rest : { ...rest, source_stats: { choice: stats, target_index } };
}

/** Edges come in three channels and histograms as lists; the rest is compared element by element. */
function elements(output: unknown, node: string): ArrayLike<number> {
  if (Array.isArray(output)) return output as readonly number[];
  const { data } = output as Image;
  return node === 'Canny' ? data.filter((_, index) => index % 3 === 0) : data;
}

/** Nodes whose every bit is the referee's. */
const EXACT = new Set([
  'ImageInvert',
  'AdjustBrightness',
  'AdjustContrast',
  'NormalizeImages',
  'Morphology',
  'Canny',
  'ImageHistogram',
]);

for (const node of new Set(cases.map((item) => item.node))) {
  // Sharpening adds up to fifty times a difference of nearly equal numbers; PyTorch itself is off by 1e-4 there.
  const tolerance = EXACT.has(node) ? [0, 0] : [1e-5, node === 'ImageSharpen' ? 1e-5 : 1e-6];
  test(`${node} gives what the referee gives, ${EXACT.has(node) ? 'to the bit' : 'within 1e-5'}`, async () => {
    const type = filterNodes.find((each) => each.type === node);
    assert.ok(type);
    for (const item of cases.filter((each) => each.node === node)) {
      const images = Object.fromEntries(
        Object.entries(item.inputs).map(([name, spec]) => [name, given(spec)]),
      );
      const label = `${node} ${JSON.stringify(item.inputs)} ${JSON.stringify(item.params)}`;
      const { outputs } = await runNode(type, { ...images, ...parameters(item.params) });
      assert.equal(outputs.length, item.expected.length, label);
      for (const [slot, wanted] of item.expected.entries()) {
        const actual = elements(outputs[slot], node);
        const expected = decode(wanted);
        assert.equal(actual.length, expected.length, label);
        for (const [index, value] of expected.entries()) {
          const off = Math.abs((actual[index] ?? Number.NaN) - value);
          const allowed = tolerance[0]! * Math.abs(value) + tolerance[1]!;
          assert.ok(
            off <= allowed,
            `${label}: output ${slot}, element ${index}: ${actual[index]}, not ${value}`,
          );
        }
      }
    }
  });
}
