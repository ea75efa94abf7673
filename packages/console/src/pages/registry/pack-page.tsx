import type { Pack, PackVersion } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { InnerNodesTab } from './inner-nodes-tab.tsx';
import { InstallLines } from './install-lines.tsx';
import { LanguagesTab } from './languages-tab.tsx';
import { PackFacts } from './pack-facts.tsx';
import { PackMenu } from './pack-menu.tsx';
import { PackReviews } from './pack-reviews.tsx';
import { PackSummary } from './pack-summary.tsx';
import { ReadmeTab } from './readme-tab.tsx';
import { packQuery, versionsQuery } from './registry-queries.ts';
import { VersionNotice } from './version-notice.tsx';
import { VersionSelect } from './version-select.tsx';
import { VersionsTab } from './versions-tab.tsx';

export function PackPage() {
  const { registry } = useMessages();
  const { packId } = useParams({ from: '/app/registry/packs/$packId' });
  const pack = useQuery(packQuery(packId));
  return (
    <Page title={pack.data?.name ?? packId} tools={pack.data && <PackMenu pack={pack.data} />}>
      <QueryView query={pack} loading={<PackSkeleton label={registry.title} />}>
        {(found) => <PackView pack={found} />}
      </QueryView>
    </Page>
  );
}

function PackView({ pack }: { readonly pack: Pack }) {
  const { version: number } = useSearch({ from: '/app/registry/packs/$packId' });
  const versions = useQuery(versionsQuery(pack.id));
  return (
    <div className="grid max-w-350 gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-5">
        <PackSummary pack={pack} />
        <QueryView query={versions} loading={<Skeleton className="h-96" />}>
          {(found) => (
            <VersionView pack={pack} versions={found} version={shownVersion(found, pack, number)} />
          )}
        </QueryView>
      </div>
      <aside className="flex min-w-0 flex-col gap-8">
        <PackFacts pack={pack} />
        <PackReviews pack={pack.id} />
      </aside>
    </div>
  );
}

/** The version in the address, else the newest installable one, else the newest. */
function shownVersion(versions: readonly PackVersion[], pack: Pack, number: string | undefined) {
  const wanted = number ?? pack.latest_version?.version;
  return versions.find(({ version }) => version === wanted) ?? versions[0];
}

interface VersionViewProps {
  readonly pack: Pack;
  readonly versions: readonly PackVersion[];
  readonly version: PackVersion | undefined;
}

/** Everything that depends on the version. */
function VersionView({ pack, versions, version }: VersionViewProps) {
  const { registry } = useMessages();
  const search = useSearch({ from: '/app/registry/packs/$packId' });
  const navigate = useNavigate();
  const params = { packId: pack.id };
  const languages = Object.keys(pack.translations ?? {}).length;
  return (
    <>
      {version && <VersionNotice pack={pack} version={version} />}
      {version && <InstallLines pack={pack} version={version} />}
      <div className="relative min-w-0">
        <VersionSelect pack={pack} versions={versions} version={version} />
        <Tabs
          label={pack.name ?? pack.id}
          value={search.tab ?? 'readme'}
          onValue={(tab) =>
            void navigate({ to: '/registry/packs/$packId', params, search: { ...search, tab } })
          }
          tabs={[
            { value: 'readme', label: registry.readme, content: <ReadmeTab version={version} /> },
            {
              value: 'versions',
              label: registry.versionsCount(versions.length),
              content: <VersionsTab pack={pack} versions={versions} />,
            },
            { value: 'nodes', label: registry.nodes, content: <InnerNodesTab version={version} /> },
            {
              value: 'languages',
              label: registry.languagesCount(languages),
              content: <LanguagesTab pack={pack} />,
            },
          ]}
        />
      </div>
    </>
  );
}

function PackSkeleton({ label }: { readonly label: string }) {
  return (
    <div role="status" aria-label={label} className="grid max-w-350 gap-10 lg:grid-cols-[1fr_320px]">
      <div className="flex flex-col gap-5">
        <Skeleton className="h-16" />
        <Skeleton className="h-20" />
        <Skeleton className="h-96" />
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
