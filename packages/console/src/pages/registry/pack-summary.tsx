import type { Pack } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { PackIcon } from './pack-icon.tsx';
import { Rating } from './rating.tsx';

export function PackSummary({ pack }: { readonly pack: Pack }) {
  const { registry } = useMessages();
  const format = useFormat();
  const { id, name = id, publisher, description, tags = [] } = pack;
  return (
    <div className="flex min-w-0 gap-4">
      <PackIcon name={name} icon={pack.icon} size="lg" />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-muted">
          <code className="font-mono text-12 wrap-anywhere">{id}</code>
          {publisher && (
            <Link
              to="/registry/publishers/$publisherId"
              params={{ publisherId: publisher.id }}
              className="max-w-full truncate text-accent hover:underline"
            >
              {publisher.name ?? publisher.id}
            </Link>
          )}
          <span className="inline-flex items-center gap-1 tabular-nums">
            <Download size={13} aria-hidden />
            {registry.downloadsOf(format.number(pack.downloads))}
          </span>
          <Rating rating={pack.rating} />
        </div>
        <p className="mt-1.5 wrap-anywhere">{description || registry.noDescription}</p>
        {tags.length > 0 && (
          <ul aria-label={registry.tags} className="mt-2 flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag} className="rounded-sm bg-hover px-1.5 py-0.5 text-12 wrap-anywhere text-muted">
                {tag}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
