export type Mt19937 = ReturnType<typeof mt19937>;

/** Seeds have 64 bits. */
export const MAX_SEED = 2n ** 64n - 1n;

const LENGTH = 624;
const DISTANCE = 397;

/**
 * The Mersenne Twister of NumPy's `RandomState` and PyTorch's CPU generator, seeded with the low 32 bits of an integer as by
 * `torch.manual_seed`.
 */
export function mt19937(seed: bigint) {
  const state = new Uint32Array(LENGTH);
  state[0] = Number(BigInt.asUintN(32, seed));
  for (let index = 1; index < LENGTH; index++) {
    const last = state[index - 1] ?? 0;
    state[index] = Math.imul(1812433253, last ^ (last >>> 30)) + index;
  }
  let at = LENGTH;
  return {
    nextUint32(): number {
      if (at === LENGTH) {
        twist(state);
        at = 0;
      }
      let value = state[at++] ?? 0;
      value ^= value >>> 11;
      value ^= (value << 7) & 0x9d2c5680;
      value ^= (value << 15) & 0xefc60000;
      value ^= value >>> 18;
      return value >>> 0;
    },
  };
}

/** Seeds it as ComfyUI seeds NumPy, which refuses seeds of more than 32 bits. */
export function foldedMt19937(seed: bigint): Mt19937 {
  return mt19937(seed % (2n ** 32n - 1n));
}

function twist(state: Uint32Array): void {
  for (let index = 0; index < LENGTH; index++) {
    const next = state[index + 1 === LENGTH ? 0 : index + 1] ?? 0;
    const far = state[index + DISTANCE < LENGTH ? index + DISTANCE : index + DISTANCE - LENGTH] ?? 0;
    const mixed = ((state[index] ?? 0) & 0x80000000) | (next & 0x7fffffff);
    state[index] = far ^ (mixed >>> 1) ^ (next & 1 ? 0x9908b0df : 0);
  }
}

/** `numpy.random.randint(0, count)`: draws again until the masked bits fit. */
export function randomBelow(generator: Mt19937, count: number): number {
  const largest = count - 1;
  if (largest <= 0) return 0;
  const mask = 0xffffffff >>> Math.clz32(largest);
  for (;;) {
    const value = (generator.nextUint32() & mask) >>> 0;
    if (value <= largest) return value;
  }
}

/** `numpy.random.permutation(count)`. */
export function randomPermutation(generator: Mt19937, count: number): Int32Array<ArrayBuffer> {
  const order = Int32Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = randomBelow(generator, index + 1);
    const held = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = held;
  }
  return order;
}
