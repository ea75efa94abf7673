import { useFormat } from '../i18n/i18n.tsx';
import { useNow } from './use-now.ts';

/** A time relative to now. The exact time is in the tooltip. */
export function RelativeTime({ at }: { readonly at: number | string | Date }) {
  const format = useFormat();
  const date = new Date(at);
  const now = useNow(1000 * 20);
  return (
    <time dateTime={date.toISOString()} title={format.dateTime(date)} className="whitespace-nowrap">
      {format.relative(date, now)}
    </time>
  );
}

/** The duration of something, or the time since its start. */
export function Elapsed({ from, to }: { readonly from: number; readonly to?: number | undefined }) {
  const format = useFormat();
  const now = useNow(1000, to === undefined);
  return <span className="tabular-nums">{format.duration(Math.max(0, (to ?? now) - from))}</span>;
}
