import type { Pack } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { PackIcon } from './pack-icon.tsx';
import { Rating } from './rating.tsx';

const ROW = 'relative flex min-w-0 gap-3 border-b border-line p-3 last:border-b-0 sm:px-4';

interface Props {
  readonly packs: readonly Pack[];
  /** All packs have the same publisher, which is not repeated. */
  readonly isOfOne?: boolean;
}

export function PackList({ packs, isOfOne = false }: Props) {
  return (
    <Panel>
      <ul>
        {packs.map((pack) => (
          <PackRow key={pack.id} pack={pack} isOfOne={isOfOne} />
        ))}
      </ul>
    </Panel>
  );
}

function PackRow({ pack, isOfOne }: { readonly pack: Pack; readonly isOfOne: boolean }) {
  const { registry } = useMessages();
  const format = useFormat();
  const { id, name = id, description, publisher, latest_version: latest } = pack;
  return (
    <li className={`${ROW} hover:bg-hover/60`}>
      <PackIcon name={name} icon={pack.icon} />
      <div
        className={cx(
          'grid min-w-0 grow gap-x-6 gap-y-1 lg:items-center',
          isOfOne ? 'lg:grid-cols-[1fr_72px_48px_168px]' : 'lg:grid-cols-[1fr_160px_72px_48px_168px]',
        )}
      >
        <div className="min-w-0">
          <h2 className="truncate font-medium">
            {/* The link covers the row. */}
            <Link
              to="/registry/packs/$packId"
              params={{ packId: id }}
              className="after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent focus-visible:outline-none"
            >
              {name}
            </Link>
          </h2>
          <p className="line-clamp-2 text-13 text-muted wrap-anywhere lg:line-clamp-1">
            {description || registry.noDescription}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-muted lg:contents">
          {publisher && !isOfOne && (
            <span className="max-w-full truncate lg:max-w-none">
              <span className="sr-only">{registry.publisher}: </span>
              <Link
                to="/registry/publishers/$publisherId"
                params={{ publisherId: publisher.id }}
                className="relative rounded-sm hover:text-text hover:underline"
              >
                {publisher.name ?? publisher.id}
              </Link>
            </span>
          )}
          <span
            title={registry.downloadsOf(format.number(pack.downloads))}
            className="inline-flex items-center gap-1 whitespace-nowrap tabular-nums"
          >
            <Download size={13} aria-hidden />
            <span aria-hidden>{format.number(pack.downloads)}</span>
            <span className="sr-only">{registry.downloadsOf(format.number(pack.downloads))}</span>
          </span>
          <Rating rating={pack.rating} />
          {latest ? (
            <span className="flex min-w-0 gap-2 whitespace-nowrap lg:justify-end">
              <span className="truncate font-mono text-12 leading-5 text-text">{latest.version}</span>
              <RelativeTime at={latest.createdAt} />
            </span>
          ) : (
            <span className="lg:text-right">{registry.noVersion}</span>
          )}
        </div>
      </div>
    </li>
  );
}

export function PackListSkeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <Panel>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={ROW}>
          <Skeleton className="size-10 shrink-0" />
          <div className="grow">
            <Skeleton className="mb-2 h-4 w-40" />
            <Skeleton className="h-4 max-w-96" />
          </div>
        </div>
      ))}
    </Panel>
  );
}
