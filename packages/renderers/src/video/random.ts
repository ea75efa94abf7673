/** Numbers from 0 up to 1. The same seed gives the same numbers on every machine. */
export type Random = () => number;

export function seededRandom(seed: number, purpose = ''): Random {
  let state = (Math.imul(seed ^ (seed / 2 ** 32), 0x9e3779b1) ^ hashText(purpose)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 2 ** 32;
  };
}

/** A 32-bit integer. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mixed(hash);
}

/** From 0 up to 1. */
export function hashPlace(x: number, y: number, seed: number): number {
  return mixed(Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1)) / 2 ** 32;
}

function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}
