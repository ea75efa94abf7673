import type { Input } from '@atelier/engine/editor-format';

/** A seed within the bounds of its input, of at most 53 bits, so that every program can represent it. */
export function randomSeed(input: Input): number {
  const given = input.kind === 'int' ? input.options.max : undefined;
  const max = Math.min(Number(given ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return ((high % 2 ** 21) * 2 ** 32 + low) % (max + 1);
}
