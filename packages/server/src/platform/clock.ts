/** Milliseconds since 1970. Time is a parameter wherever a rule depends on it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const lastDay = { number: Number.NaN, text: '' };

/** As `Date` writes it, in a fifth of the time: answers have several times, most of them of the same day. */
export function toIso(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== lastDay.number) {
    // Throws for an invalid time, before anything is kept.
    lastDay.text = new Date(number * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    lastDay.number = number;
  }
  const ms = Math.floor(time - number * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const parts = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map((part) => TWO_DIGITS[part]);
  return `${lastDay.text}${parts[0]}:${parts[1]}:${parts[2]}.${String(ms % 1000).padStart(3, '0')}Z`;
}
