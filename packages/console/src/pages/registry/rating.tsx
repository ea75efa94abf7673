import { Star } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';

/** The average star rating. */
export function Rating({ rating }: { readonly rating: number }) {
  const { registry } = useMessages();
  const format = useFormat();
  const shown = format.number(Math.round(rating * 10) / 10);
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap tabular-nums">
      <Star size={13} aria-hidden className={rating > 0 ? 'fill-waiting text-waiting' : 'text-faint'} />
      <span aria-hidden>{rating > 0 ? shown : '–'}</span>
      <span className="sr-only">{rating > 0 ? registry.starsOf(shown) : registry.noStars}</span>
    </span>
  );
}
