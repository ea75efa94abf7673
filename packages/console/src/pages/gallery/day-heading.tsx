import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { useNow } from '../../ui/use-now.ts';
import { dateOfDay, dayNumber } from './asset-facts.ts';

const MINUTE_MS = 60_000;

/** Today, yesterday, or the date. */
export function DayHeading({ day }: { readonly day: number }) {
  const { gallery } = useMessages();
  const format = useFormat();
  const now = new Date(useNow(MINUTE_MS));
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const words: Readonly<Record<number, string>> = {
    [dayNumber(now)]: gallery.today,
    [dayNumber(yesterday)]: gallery.yesterday,
  };
  return (
    <h2 className="flex items-end pb-2 text-13 font-semibold">{words[day] ?? format.date(dateOfDay(day))}</h2>
  );
}
