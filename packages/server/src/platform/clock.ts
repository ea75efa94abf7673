/** Milliseconds since 1970. Time is a parameter wherever a rule depends on it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export function toIso(time: number): string {
  return new Date(time).toISOString();
}
