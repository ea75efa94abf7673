const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export type Formats = ReturnType<typeof createFormats>;

/** Formats numbers, times and sizes for a language. */
export function createFormats(language: string) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const exactTime = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const megabytes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const digits = (value: number) => String(value).padStart(2, '0');
  return {
    number: (value: number) => number.format(value),
    dateTime: (value: Date | number) => dateTime.format(value),
    date: (value: Date | number) => date.format(value),
    time: (value: Date | number) => time.format(value),
    exactTime: (value: Date | number) => exactTime.format(value),
    relative(value: Date | number, now = Date.now()): string {
      const difference = Number(value) - now;
      const [unit, ms] = UNITS.find((each) => Math.abs(difference) >= each[1]) ?? ['second', 1000];
      return relative.format(Math.round(difference / ms), unit);
    },
    /** Megabytes, or gigabytes for large sizes. */
    bytes(value: number): string {
      if (value >= 1e9) return `${megabytes.format(value / 1e9)} GB`;
      if (value >= 1e5 || value === 0) return `${megabytes.format(value / 1e6)} MB`;
      return `${megabytes.format(Math.max(0.1, value / 1e3))} kB`;
    },
    duration(ms: number): string {
      if (ms < 1000) return `${Math.round(ms)} ms`;
      if (ms < MINUTE_MS) return `${number.format(Math.round(ms / 100) / 10)} s`;
      const hours = Math.floor(ms / HOUR_MS);
      const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
      const seconds = Math.floor((ms % MINUTE_MS) / 1000);
      return hours > 0 ? `${hours}:${digits(minutes)}:${digits(seconds)}` : `${minutes}:${digits(seconds)}`;
    },
  };
}
