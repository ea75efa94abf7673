import type { AuditEntry } from '@atelier/sdk';
import { ScrollText } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { ShortId } from '../../ui/copy.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useList } from '../../use-list.ts';

/** Who did what, newest first. */
export function AuditTab() {
  const { admin } = useMessages();
  const audit = useList(['audit'], (signal) => atelier.admin.audit({ signal }));
  return (
    <>
      <QueryView query={audit} loading={<Skeleton className="h-64" />}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState icon={<ScrollText size={28} aria-hidden />}>{admin.noAudit}</EmptyState>
          ) : (
            <Table
              label={admin.audit}
              rows={entries}
              rowKey={({ id }) => String(id)}
              columns={[
                { id: 'at', header: admin.when, cell: ({ at }) => <RelativeTime at={at} /> },
                { id: 'actor', header: admin.who, from: 'md', cell: (entry) => <Actor entry={entry} /> },
                {
                  id: 'action',
                  header: admin.what,
                  cell: (entry) => (
                    <div className="min-w-40">
                      <p className="font-medium">{entry.action}</p>
                      {entry.subject_email !== undefined && (
                        <p className="wrap-anywhere">{entry.subject_email}</p>
                      )}
                      <p className="font-mono text-12 wrap-anywhere text-muted">{entry.subject}</p>
                      <p className="md:hidden">
                        <Actor entry={entry} />
                      </p>
                    </div>
                  ),
                },
                {
                  id: 'details',
                  header: admin.details,
                  from: 'lg',
                  cell: ({ details }) => (
                    <span className="line-clamp-2 max-w-120 font-mono text-12 wrap-anywhere text-muted">
                      {Object.keys(details).length > 0 && JSON.stringify(details)}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
      <LoadMore query={audit} />
    </>
  );
}

/** An e-mail address; for others `server`, or a kind and an id: `operator:ada`. */
function Actor({ entry: { actor, actor_email: email } }: { readonly entry: AuditEntry }) {
  if (email !== undefined) return <span className="wrap-anywhere">{email}</span>;
  const colon = actor.indexOf(':');
  if (colon < 0) return actor;
  return (
    <span className="whitespace-nowrap">
      {actor.slice(0, colon)} <ShortId id={actor.slice(colon + 1)} />
    </span>
  );
}
