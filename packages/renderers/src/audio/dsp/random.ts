/** A sequence of numbers from 0 up to 1 that a seed decides. */
export type Random = () => number;

/** Any words and numbers as one 32-bit number (FNV-1a with a final mix). */
export function hash(...parts: readonly (string | number)[]): number {
  let sum = 0x811c9dc5;
  for (const part of parts) {
    for (const character of `${part}\u0000`) {
      sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
  }
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return (sum ^ (sum >>> 16)) >>> 0;
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

/** The moments of something that happens `rate` times a second without rhythm. */
export function scatter(random: Random, { seconds, rate }: { seconds: number; rate: number }): number[] {
  const moments: number[] = [];
  const wait = (): number => -Math.log(1 - random()) / rate;
  for (let at = wait(); at < seconds; at += wait()) moments.push(at);
  return moments;
}
