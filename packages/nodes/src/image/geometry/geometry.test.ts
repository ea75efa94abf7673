import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { freshMemory, noiseImage, noiseMask, runNode } from '../../test/run-node.ts';
import type { Image, Mask } from '../../values/image.ts';
import { upscale } from '../resize/upscale.ts';
import { geometryNodes } from './geometry-nodes.ts';
import { averageHash } from './kernels/average-hash.ts';

interface Spec {
  readonly shape: readonly number[];
  readonly seed: number;
  readonly beyond: number;
}

interface Case {
  readonly node: string;
  readonly inputs: Readonly<Record<string, Spec | readonly Spec[]>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly expected: readonly { readonly shape: readonly number[]; readonly data: string }[];
  /** Only every so many rows and columns were kept. */
  readonly every?: readonly [rows: number, columns: number];
  readonly inverted?: boolean;
}

const { nodes, hashes } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/geometry.json', import.meta.url), 'utf8'),
) as {
  readonly nodes: readonly Case[];
  readonly hashes: readonly { readonly image: Spec; readonly bits: string }[];
};

function given({ shape, seed, beyond }: Spec): Image | Mask {
  const [batch = 1, height = 1, width = 1, channels] = shape;
  if (channels === undefined) return noiseMask({ batch, height, width }, { seed });
  return noiseImage({ batch, height, width, channels }, { seed, beyond });
}

function values(inputs: Case['inputs']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, spec]) => [
      name,
      Array.isArray(spec) ? spec.map(given) : given(spec as Spec),
    ]),
  );
}

function compare(
  actual: Image | Mask,
  { expected, every = [1, 1] }: Case,
  slot: number,
  label: string,
): void {
  const { shape = [], data = '' } = expected[slot] ?? {};
  const wanted = new Float32Array(new Uint8Array(Buffer.from(data, 'base64')).buffer);
  const channels = 'channels' in actual ? actual.channels : 1;
  const rows = Math.ceil(actual.height / every[0]);
  const columns = Math.ceil(actual.width / every[1]);
  const size = [actual.batch, rows, columns, ...('channels' in actual ? [channels] : [])];
  assert.deepEqual(size, shape, label);
  wanted.forEach((value, index) => {
    const channel = index % channels;
    const x = (Math.floor(index / channels) % columns) * every[1];
    const line = Math.floor(index / channels / columns);
    const y = (line % rows) * every[0];
    const at = ((Math.floor(line / rows) * actual.height + y) * actual.width + x) * channels + channel;
    const off = Math.abs((actual.data[at] ?? Number.NaN) - value);
    assert.ok(
      off <= 1e-5 * Math.abs(value) + 1e-6,
      `${label}: at ${x}, ${y}: ${actual.data[at]}, not ${value}`,
    );
  });
}

async function check(item: Case, inputs: Record<string, unknown>): Promise<void> {
  const type = geometryNodes.find((each) => each.type === item.node);
  assert.ok(type);
  const { outputs } = await runNode(type, inputs);
  const label = `${item.node} ${JSON.stringify(item.inputs)} ${JSON.stringify(item.params)}`;
  assert.equal(outputs.length, item.expected.length, label);
  for (const [slot, output] of outputs.entries()) compare(output as Image | Mask, item, slot, label);
}

for (const node of ['ImageRotate', 'ImageFlip', 'ImagePadForOutpaint', 'ImageStitch']) {
  test(`${node} gives what the referee gives`, async () => {
    const cases = nodes.filter((item) => item.node === node);
    assert.ok(cases.length > 0);
    for (const item of cases) await check(item, { ...values(item.inputs), ...item.params });
  });
}

for (const node of ['ImageMergeTileList', 'ImageGrid']) {
  test(`${node} gives what the referee gives`, async () => {
    for (const item of nodes.filter((each) => each.node === node)) {
      const lists = Object.entries(item.params).map(([name, value]) => [name, [value]] as const);
      await check(item, { ...values(item.inputs), ...Object.fromEntries(lists) });
    }
  });
}

test('ImageCropToMask gives what the referee gives, also when the mask is of the background', async () => {
  const cases = nodes.filter((item) => item.node === 'ImageCropToMask');
  assert.ok(cases.some((item) => item.inverted) && cases.some((item) => !item.inverted));
  for (const item of cases) {
    const { images, masks } = values(item.inputs) as { images: Image; masks: Mask };
    await check({ ...item, every: [3, 3] }, { images, masks: withSubject(masks, item), ...item.params });
  }
});

/** A block of subject in the noise, as the referee makes it. */
function withSubject({ data, ...shape }: Mask, { inverted }: Case): Mask {
  const { width, height } = shape;
  const top = Math.floor(height / 3);
  const left = Math.floor(width / 3);
  const made = data.map((value, index) => {
    const x = index % width;
    const y = Math.floor(index / width) % height;
    const inside = y >= top && y < 2 * top && x >= left && x < 2 * left + 3;
    const level = inside ? 0.9 + Math.fround(value * Math.fround(0.1)) : value * Math.fround(0.3);
    return inverted ? 1 - Math.fround(level) : level;
  });
  return { ...shape, data: made };
}

test('the hash of a picture has the bits that Pillow gives', () => {
  for (const { image, bits } of hashes) {
    const size = { width: 8, height: 8, method: 'lanczos' } as const;
    const small = upscale(given(image) as Image, size, { memory: freshMemory, checkpoint() {} });
    const made = averageHash(small).map((bit) => (bit ? '1' : '0'));
    assert.equal(made.join(''), bits, JSON.stringify(image));
  }
});
