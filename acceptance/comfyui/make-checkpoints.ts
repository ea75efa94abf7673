/**
 * `npx node acceptance/comfyui/make-checkpoints.ts FOLDER`: two checkpoints of random weights, for tests with a real ComfyUI. They
 * paint nothing but noise, in less than a second on a CPU.
 */
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { type Fill, type Tensor, tinyCheckpoint } from './tiny-checkpoint.ts';

/** By seed. */
export const TINY_CHECKPOINTS = { 1: 'atelier-tiny-1.safetensors', 2: 'atelier-tiny-2.safetensors' } as const;

const BYTES_PER_VALUE = 2;

export async function makeCheckpoint(folder: string, seed: keyof typeof TINY_CHECKPOINTS): Promise<void> {
  const path = join(folder, TINY_CHECKPOINTS[seed]);
  await writeSafetensors(`${path}.part`, tinyCheckpoint(), seed);
  // ComfyUI lists the folder at any time.
  await rename(`${path}.part`, path);
}

/** Tensors of half floats, one after the other behind a description in JSON. Zeros are holes in the file. */
async function writeSafetensors(path: string, tensors: readonly Tensor[], seed: number): Promise<void> {
  const header: Record<string, object> = {};
  let size = 0;
  for (const tensor of tensors) {
    const end = size + countOf(tensor) * BYTES_PER_VALUE;
    header[tensor.name] = { dtype: 'F16', shape: tensor.shape, data_offsets: [size, end] };
    size = end;
  }
  const text = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(text.length));
  const random = createRandom(seed);
  await using file = await open(path, 'w');
  let at = prefix.length + text.length;
  await file.write(Buffer.concat([prefix, text]));
  await file.truncate(at + size);
  for (const tensor of tensors) {
    const count = countOf(tensor);
    const values = valuesOf(tensor.fill, count, random);
    if (values) await file.write(new Uint8Array(values.buffer), 0, undefined, at);
    at += count * BYTES_PER_VALUE;
  }
}

function valuesOf(fill: Fill, count: number, random: () => number): Float16Array | undefined {
  if (fill === 'zeros') return undefined;
  if (fill === 'ones') return new Float16Array(count).fill(1);
  const values = new Float16Array(count);
  for (let index = 0; index < count; index += 1) values[index] = (2 * random() - 1) * fill.noise;
  return values;
}

function countOf({ shape }: Tensor): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Numbers from 0 to 1, the same for the same seed (xorshift32). */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e_37_79_b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Usage: npx node acceptance/comfyui/make-checkpoints.ts FOLDER');
  await makeCheckpoint(folder, 1);
  await makeCheckpoint(folder, 2);
}
