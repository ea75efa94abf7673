import { cx } from './class-names.ts';

const FULL = 0.9;

/** How much of something is in use, from 0 to 1. Nearly full is shown as such. */
export function Meter({ fraction, label }: { readonly fraction: number; readonly label: string }) {
  const shown = Math.min(1, Math.max(0, fraction));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown * 100)}
      className="h-2 w-full overflow-hidden rounded-full bg-edge/25"
    >
      <div
        className={cx('h-full rounded-full', shown >= FULL ? 'bg-failed' : 'bg-accent')}
        style={{ width: `${shown * 100}%` }}
      />
    </div>
  );
}
