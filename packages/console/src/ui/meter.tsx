import { cx } from './class-names.ts';

const NEARLY_FULL = 0.9;

/** A usage bar, from 0 to 1. Nearly full is highlighted. */
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
        className={cx('h-full rounded-full', shown >= NEARLY_FULL ? 'bg-failed' : 'bg-accent')}
        style={{ width: `${shown * 100}%` }}
      />
    </div>
  );
}
