import { type Mt19937, mt19937 } from '../../../values/mt19937.ts';

const BLOCK = 16;
const HALF = BLOCK / 2;
const BLOCKS_PER_CHECKPOINT = 1 << 14;

/**
 * Fills with the numbers of PyTorch's `randn` on a CPU. Blocks of sixteen uniform numbers become normal in pairs, and an
 * incomplete last block draws the last sixteen numbers again. The last bits in PyTorch differ between processors; these are
 * those of its plain code.
 */
export function fillNormal(target: Float32Array, seed: bigint, checkpoint: () => void): void {
  const generator = mt19937(seed);
  if (target.length < BLOCK) return fillFew(target, generator);
  for (let index = 0; index < target.length; index++) {
    target[index] = uniform(generator);
    if (index % (BLOCKS_PER_CHECKPOINT * BLOCK) === 0) checkpoint();
  }
  let start = 0;
  for (let block = 1; start + BLOCK <= target.length; start += BLOCK, block++) {
    toNormal(target, start);
    if (block % BLOCKS_PER_CHECKPOINT === 0) checkpoint();
  }
  if (start === target.length) return;
  start = target.length - BLOCK;
  for (let index = start; index < target.length; index++) target[index] = uniform(generator);
  toNormal(target, start);
}

/** 24 random bits. */
function uniform(generator: Mt19937): number {
  return (generator.nextUint32() & 0xffffff) / 0x1000000;
}

function toNormal(target: Float32Array, start: number): void {
  for (let index = start; index < start + HALF; index++) {
    const logarithm = Math.fround(Math.log(1 - (target[index] as number)));
    const radius = Math.fround(Math.sqrt(-2 * logarithm));
    const angle = Math.fround(2 * Math.PI * (target[index + HALF] as number));
    target[index] = radius * Math.fround(Math.cos(angle));
    target[index + HALF] = radius * Math.fround(Math.sin(angle));
  }
}

/** PyTorch draws fewer than sixteen numbers in pairs, in double precision. */
function fillFew(target: Float32Array, generator: Mt19937): void {
  for (let index = 0; index < target.length; index += 2) {
    const angle = 2 * Math.PI * preciseUniform(generator);
    const radius = Math.sqrt(-2 * Math.log1p(-preciseUniform(generator)));
    target[index] = radius * Math.cos(angle);
    if (index + 1 < target.length) target[index + 1] = radius * Math.sin(angle);
  }
}

/** 53 random bits. */
function preciseUniform(generator: Mt19937): number {
  const high = generator.nextUint32() & 0x1fffff;
  return (high * 2 ** 32 + generator.nextUint32()) / 2 ** 53;
}
