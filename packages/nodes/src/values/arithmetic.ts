/** Rounds halves to the even neighbor, as Python's `round` does; `Math.round` would be off by one for 0.5 and 2.5. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The largest size of a picture's edge that nodes accept. */
export const MAX_EDGE = 16384;
