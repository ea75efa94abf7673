import type { Publisher } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { MembersTab } from './members-tab.tsx';
import { OptionalLink } from './optional-link.tsx';
import { PackIcon } from './pack-icon.tsx';
import { PublisherMenu } from './publisher-menu.tsx';
import { PublisherPacks } from './publisher-packs.tsx';
import { PublisherSettings } from './publisher-settings.tsx';
import { useCanManage } from './registry-queries.ts';
import { TokensTab } from './tokens-tab.tsx';

export function PublisherPage() {
  const { publisherId } = useParams({ from: '/app/registry/publishers/$publisherId' });
  const publisher = useQuery({
    queryKey: ['publishers', publisherId],
    queryFn: async ({ signal }) => await atelier.registry.publishers.get(publisherId, { signal }),
  });
  return (
    <Page
      title={publisher.data?.name ?? publisherId}
      tools={publisher.data && <PublisherMenu publisher={publisher.data} />}
      isNarrow
    >
      <QueryView query={publisher} loading={<Skeleton className="h-96" />}>
        {(found) => <PublisherView publisher={found} />}
      </QueryView>
    </Page>
  );
}

function PublisherView({ publisher }: { readonly publisher: Publisher }) {
  const { registry } = useMessages();
  const { tab = 'packs' } = useSearch({ from: '/app/registry/publishers/$publisherId' });
  const navigate = useNavigate();
  const canManage = useCanManage(publisher.id);
  const { id, name = id, members = [] } = publisher;
  const params = { publisherId: id };
  return (
    <div className="flex flex-col gap-5">
      <div className="flex min-w-0 gap-4">
        <PackIcon name={name} icon={publisher.logo} size="lg" />
        <div className="min-w-0">
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-muted">
            <code className="font-mono text-12 leading-5 wrap-anywhere">{id}</code>
            {[publisher.website, publisher.source_code_repo, publisher.support].map(
              (address) => address && <OptionalLink key={address} address={address} />,
            )}
          </p>
          <p className="mt-1.5 wrap-anywhere">{publisher.description || registry.noDescription}</p>
          {publisher.status === 'PublisherStatusBanned' && (
            <p className="mt-1.5 font-medium text-failed wrap-anywhere">
              {registry.banned}
              {publisher.status_detail !== undefined && `: ${publisher.status_detail}`}
            </p>
          )}
        </div>
      </div>
      <Tabs
        label={name}
        value={canManage || tab === 'members' ? tab : 'packs'}
        onValue={(next) =>
          void navigate({ to: '/registry/publishers/$publisherId', params, search: { tab: next } })
        }
        tabs={[
          { value: 'packs', label: registry.packs, content: <PublisherPacks publisher={publisher} /> },
          {
            value: 'members',
            label: registry.membersCount(members.length),
            content: <MembersTab publisher={publisher} canManage={canManage} />,
          },
          ...(canManage
            ? ([
                { value: 'tokens', label: registry.tokens, content: <TokensTab publisher={id} /> },
                {
                  value: 'settings',
                  label: registry.settings,
                  content: <PublisherSettings key={id} publisher={publisher} />,
                },
              ] as const)
            : []),
        ]}
      />
    </div>
  );
}
