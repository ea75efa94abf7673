import type { Asset } from '@atelier/sdk';
import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { File, Film, Music, Play } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

const MAX_SHOWN = 24;
const ROW_HEIGHT = 180;
/** Keeps a panorama from filling a row, and a narrow strip from vanishing. */
const [MIN_ASPECT, MAX_ASPECT] = [0.6, 2.4];

export const recentQuery = queryOptions({
  queryKey: ['assets', 'recent'],
  queryFn: async ({ signal }) =>
    (
      await atelier.assets
        .list({ tagsAll: ['output'], sort: 'created_at', order: 'desc', pageSize: MAX_SHOWN, signal })
        .page()
    ).items,
});

/** Recent outputs in rows of equal height, with little cropping. */
export function RecentOutputs({ outputs }: { readonly outputs: readonly Asset[] }) {
  const { home } = useMessages();
  return (
    <Section
      title={home.recent}
      action={
        <Link to="/gallery" className="text-13 text-accent hover:underline">
          {home.toGallery}
        </Link>
      }
    >
      <ul className="flex flex-wrap gap-0.5 overflow-hidden rounded-md">
        {outputs.map((asset) => (
          <Output key={asset.id} asset={asset} />
        ))}
        {/* Filler that keeps the last row at its height. */}
        <li aria-hidden className="h-0 grow-9999" />
      </ul>
    </Section>
  );
}

function Output({ asset }: { readonly asset: Asset }) {
  const { home } = useMessages();
  const [isGone, setGone] = useState(false);
  const { id, name, width = 1, height = 1, mime_type: type = '' } = asset;
  const ratio = Math.min(MAX_ASPECT, Math.max(MIN_ASPECT, width / height));
  const Icon = type.startsWith('video/') ? Film : type.startsWith('audio/') ? Music : File;
  return (
    <li
      className="relative min-w-0 overflow-hidden bg-hover"
      style={{ flexGrow: ratio, flexBasis: ratio * ROW_HEIGHT, height: ROW_HEIGHT }}
    >
      <Link
        to="/gallery"
        search={{ item: id }}
        aria-label={home.open(name)}
        className="flex size-full items-center justify-center focus-visible:-outline-offset-2"
      >
        {asset.thumbnail_url === undefined || isGone ? (
          <span className="flex max-w-full flex-col items-center gap-2 px-2 text-12 text-muted">
            <Icon size={22} aria-hidden />
            <span className="max-w-full truncate">{name}</span>
          </span>
        ) : (
          <img
            src={atelier.assets.previewUrl(id, 512)}
            alt=""
            loading="lazy"
            onError={() => setGone(true)}
            className="size-full object-cover"
          />
        )}
        {type.startsWith('video/') && !isGone && (
          <span
            aria-hidden
            className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-full bg-black/60 text-white"
          >
            <Play size={12} className="fill-current" />
          </span>
        )}
      </Link>
    </li>
  );
}

export function RecentSkeleton() {
  return (
    <div className="flex flex-wrap gap-0.5 overflow-hidden rounded-md">
      {[1.5, 1, 1.3, 0.8, 1.6, 1.2, 1, 1.4].map((ratio, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- they do not move.
          key={index}
          style={{ flexGrow: ratio, flexBasis: ratio * ROW_HEIGHT, height: ROW_HEIGHT }}
        >
          <Skeleton className="size-full rounded-none" />
        </div>
      ))}
    </div>
  );
}
