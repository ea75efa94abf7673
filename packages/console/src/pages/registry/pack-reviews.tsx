import type { PackReviews as Reviews } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';

const STARS = [1, 2, 3, 4, 5] as const;

/** The ratings of a pack, and yours. */
export function PackReviews({ pack }: { readonly pack: string }) {
  const { registry } = useMessages();
  const reviews = useQuery({
    queryKey: ['packs', pack, 'reviews'],
    queryFn: async ({ signal }) => await atelier.registry.packs.reviews(pack, { signal }),
  });
  return (
    <section aria-label={registry.reviews}>
      <h2 className="mb-3 text-14 font-semibold">{registry.reviews}</h2>
      <QueryView query={reviews} loading={<Skeleton className="h-40" />}>
        {(found) => (
          <>
            <Distribution reviews={found} />
            <YourStars pack={pack} yours={found.yours} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function Distribution({ reviews: { total, rating, stars } }: { readonly reviews: Reviews }) {
  const { registry } = useMessages();
  const format = useFormat();
  if (total === 0) return <p className="text-13 text-muted">{registry.noReviews}</p>;
  return (
    <div className="flex items-center gap-5">
      <div>
        <p className="text-28 leading-tight font-semibold tabular-nums">
          {format.number(Math.round(rating * 10) / 10)}
        </p>
        <p className="text-12 whitespace-nowrap text-muted">
          {registry.reviewsCount(total, format.number(total))}
        </p>
      </div>
      <ul className="grow">
        {STARS.toReversed().map((star) => {
          const count = stars[star - 1] ?? 0;
          return (
            <li key={star} className="flex items-center gap-2 text-12 text-muted tabular-nums">
              <span aria-hidden className="w-2">
                {star}
              </span>
              <div aria-hidden className="h-1.5 grow overflow-hidden rounded-full bg-edge/25">
                <div className="h-full bg-waiting" style={{ width: `${(count / total) * 100}%` }} />
              </div>
              <span aria-hidden className="min-w-4 text-right">
                {count}
              </span>
              <span className="sr-only">{registry.starCount(star, count)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function YourStars({ pack, yours }: { readonly pack: string; readonly yours: number | undefined }) {
  const { registry } = useMessages();
  const client = useQueryClient();
  const rate = useMutation({
    mutationFn: async (stars: number) => await atelier.registry.packs.rate(pack, stars),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['packs'] }),
    onError: showErrorToast,
  });
  const shown = (rate.isPending ? rate.variables : yours) ?? 0;
  return (
    <div role="group" aria-label={registry.yourStars} className="mt-3 flex items-center gap-2">
      <span aria-hidden className="text-13 text-muted">
        {registry.yourStars}
      </span>
      <div className="flex">
        {STARS.map((star) => (
          <button
            key={star}
            type="button"
            aria-label={registry.giveStars(star)}
            aria-pressed={star === shown}
            disabled={rate.isPending}
            onClick={() => rate.mutate(star)}
            className="flex size-8 items-center justify-center rounded-md hover:bg-hover"
          >
            <Star
              size={18}
              aria-hidden
              className={cx(star <= shown ? 'fill-waiting text-waiting' : 'text-edge')}
            />
          </button>
        ))}
      </div>
    </div>
  );
}
