import type { PackVersion } from '@atelier/sdk';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useList } from '../../use-list.ts';
import { VersionReasons } from './check-report.tsx';
import { VersionActions } from './version-actions.tsx';
import { VersionState } from './version-state.tsx';

const FILTERS = {
  requested: { reviewRequested: true },
  flagged: { statuses: ['NodeVersionStatusFlagged'] },
  pending: { statuses: ['NodeVersionStatusPending'] },
  banned: { statuses: ['NodeVersionStatusBanned'] },
} as const;

/** Versions waiting for a decision of an administrator. */
export function ReviewPage() {
  const { registry } = useMessages();
  const { show = 'requested' } = useSearch({ from: '/app/registry/review' });
  const navigate = useNavigate();
  return (
    <Page title={registry.review} isNarrow>
      <Tabs
        label={registry.review}
        value={show}
        onValue={(next) => void navigate({ to: '/registry/review', search: { show: next } })}
        tabs={(Object.keys(FILTERS) as (keyof typeof FILTERS)[]).map((value) => ({
          value,
          label: registry.reviewTabs[value],
          content: <Queue show={value} />,
        }))}
      />
    </Page>
  );
}

function Queue({ show }: { readonly show: keyof typeof FILTERS }) {
  const { registry } = useMessages();
  const format = useFormat();
  const versions = useList(['packs', 'review', show], (signal) =>
    atelier.admin.registry.versions({ ...FILTERS[show], signal }),
  );
  const total = versions.first?.total ?? 0;
  return (
    <>
      <QueryView query={versions} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<ShieldCheck size={28} aria-hidden />}>{registry.reviewEmpty[show]}</EmptyState>
          ) : (
            <>
              <p className="mb-3 text-13 text-muted">{registry.versionsFound(total, format.number(total))}</p>
              <ul className="flex flex-col gap-4">
                {found.map((version) => (
                  <li key={version.id}>
                    <ReviewEntry version={version} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
      <LoadMore query={versions} />
    </>
  );
}

function ReviewEntry({ version }: { readonly version: PackVersion }) {
  const { registry } = useMessages();
  const { node_id: pack, version: number, review_request: request } = version;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <Link
            to="/registry/packs/$packId"
            params={{ packId: pack }}
            search={{ version: number }}
            className="hover:underline"
          >
            {pack} <span className="font-mono text-13">{number}</span>
          </Link>
        </h2>
        <VersionState status={version.status} />
        <span className="text-13 text-muted sm:ml-auto">
          <RelativeTime at={version.createdAt} />
        </span>
      </div>
      {request && (
        <blockquote className="border-l-2 border-accent pl-3 text-13 wrap-anywhere">
          <p className="text-muted">
            {registry.reviewRequested} <RelativeTime at={request.requested_at} />
          </p>
          {request.note !== undefined && <p className="whitespace-pre-wrap">{request.note}</p>}
        </blockquote>
      )}
      <VersionReasons version={version} />
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
        <VersionActions version={version} />
        {version.downloadUrl !== undefined && (
          <a href={version.downloadUrl} className="text-13 text-accent hover:underline">
            {registry.downloadArchive}
          </a>
        )}
      </div>
    </Panel>
  );
}
