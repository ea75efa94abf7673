import type { Publisher } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useList } from '../../use-list.ts';
import { NewPublisherDialog } from './new-publisher-dialog.tsx';
import { PackIcon } from './pack-icon.tsx';
import { myPublishersQuery } from './registry-queries.ts';

export function PublishersPage() {
  const { registry } = useMessages();
  const { show = 'mine' } = useSearch({ from: '/app/registry/publishers' });
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
      {registry.createPublisher}
    </Button>
  );
  return (
    <Page title={registry.publishers} action={create} isNarrow>
      <Tabs
        label={registry.publishers}
        value={show}
        onValue={(next) => void navigate({ to: '/registry/publishers', search: { show: next } })}
        tabs={[
          { value: 'mine', label: registry.mine, content: <MyPublishers /> },
          { value: 'all', label: registry.all, content: <AllPublishers /> },
        ]}
      />
      <NewPublisherDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function MyPublishers() {
  const { registry } = useMessages();
  const mine = useQuery(myPublishersQuery);
  return (
    <QueryView query={mine} loading={<Skeleton className="h-32" />}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState icon={<Users size={28} aria-hidden />}>{registry.noPublishers}</EmptyState>
        ) : (
          <PublisherList publishers={found} />
        )
      }
    </QueryView>
  );
}

function AllPublishers() {
  const { registry } = useMessages();
  const all = useList(['publishers', 'all'], (signal) => atelier.registry.publishers.list({ signal }));
  return (
    <>
      <QueryView query={all} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Users size={28} aria-hidden />}>{registry.noPublishersAtAll}</EmptyState>
          ) : (
            <PublisherList publishers={found} />
          )
        }
      </QueryView>
      <LoadMore query={all} />
    </>
  );
}

function PublisherList({ publishers }: { readonly publishers: readonly Publisher[] }) {
  return (
    <Panel>
      <ul>
        {publishers.map((publisher) => (
          <PublisherRow key={publisher.id} publisher={publisher} />
        ))}
      </ul>
    </Panel>
  );
}

function PublisherRow({ publisher }: { readonly publisher: Publisher }) {
  const { registry } = useMessages();
  const me = useMe();
  const { id, name = id, members = [] } = publisher;
  const role = members.find(({ user }) => user.id === me.id)?.role;
  return (
    <li className="relative flex min-w-0 items-center gap-3 border-b border-line p-3 last:border-b-0 hover:bg-hover/60 sm:px-4">
      <PackIcon name={name} icon={publisher.logo} />
      <div className="min-w-0 grow">
        <h2 className="truncate font-medium">
          <Link
            to="/registry/publishers/$publisherId"
            params={{ publisherId: id }}
            className="after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent focus-visible:outline-none"
          >
            {name}
          </Link>
        </h2>
        <p className="truncate text-13 text-muted">
          <code className="font-mono text-12">{id}</code>
          {publisher.description !== undefined && ` · ${publisher.description}`}
        </p>
      </div>
      <div className="shrink-0 text-right text-13 text-muted">
        {publisher.status === 'PublisherStatusBanned' ? (
          <p className="text-failed">{registry.banned}</p>
        ) : (
          <p>{role === undefined ? registry.membersCount(members.length) : registry.roleName(role)}</p>
        )}
        <p className="hidden sm:block">
          <RelativeTime at={publisher.createdAt} />
        </p>
      </div>
    </li>
  );
}
