import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes, SearchX } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useList } from '../../use-list.ts';
import { PackList, PackListSkeleton } from './pack-list.tsx';
import { PackSearch } from './pack-search.tsx';
import { RegistryLinks } from './registry-links.tsx';

const SORTS = {
  downloads: ['downloads;desc'],
  rating: ['rating;desc', 'downloads;desc'],
  newest: ['created_at;desc'],
  name: ['name'],
} as const;

export function RegistryPage() {
  const { registry } = useMessages();
  const format = useFormat();
  const search = useSearch({ from: '/app/registry' });
  const navigate = useNavigate();
  const { q = '', sort = 'downloads', among = 'packs' } = search;
  const packs = useList(
    ['packs', 'list', q, among, sort],
    (signal) =>
      q === ''
        ? atelier.registry.packs.list({ sort: SORTS[sort], signal })
        : atelier.registry.packs.search(q, { nodes: among === 'nodes', signal }),
    { placeholderData: keepPreviousData },
  );
  const total = packs.first?.total ?? 0;
  return (
    <Page title={registry.title} tools={<RegistryLinks />}>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <PackSearch q={q} />
        <div className="w-36">
          <Select
            label={registry.searchAmong}
            value={among}
            onValue={(value) => void navigate({ to: '/registry', search: { ...search, among: value } })}
            items={[
              { value: 'packs', label: registry.amongPacks },
              { value: 'nodes', label: registry.amongNodes },
            ]}
          />
        </div>
        {/* Search results are ordered by relevance. */}
        {q === '' && (
          <div className="w-48">
            <Select
              label={registry.sort}
              value={sort}
              onValue={(value) => void navigate({ to: '/registry', search: { ...search, sort: value } })}
              items={Object.entries(registry.sorts).map(([value, label]) => ({
                value: value as keyof typeof SORTS,
                label,
              }))}
            />
          </div>
        )}
        <p role="status" className="text-13 text-muted sm:ml-auto">
          {packs.data && registry.found(total, format.number(total))}
        </p>
      </div>
      <QueryView query={packs} loading={<PackListSkeleton />}>
        {(found) => {
          if (found.length > 0) return <PackList packs={found} />;
          return q === '' ? (
            <EmptyState
              icon={<Boxes size={28} aria-hidden />}
              action={
                <ButtonLink to="/registry/publishers" look="primary">
                  {registry.createPublisher}
                </ButtonLink>
              }
            >
              {registry.empty}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<SearchX size={28} aria-hidden />}
              action={
                <Button onClick={() => void navigate({ to: '/registry', search: {} })}>
                  {registry.showAll}
                </Button>
              }
            >
              {registry.nothingFound(q)}
            </EmptyState>
          );
        }}
      </QueryView>
      <LoadMore query={packs} />
    </Page>
  );
}
