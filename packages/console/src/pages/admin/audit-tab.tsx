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
                { id: 'actor', header: admin.who, from: 'md', cell: ({ actor }) => <Actor actor={actor} /> },
                {
                  id: 'action',
                  header: admin.what,
                  cell: ({ action, subject, actor }) => (
                    <div className="min-w-40">
                      <p className="font-medium">{action}</p>
                      <p className="font-mono text-12 wrap-anywhere text-muted">{subject}</p>
                      <p className="md:hidden">
                        <Actor actor={actor} />
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

/** `server`, or a kind and an id: `user:01a1…`. */
function Actor({ actor }: { readonly actor: string }) {
  const colon = actor.indexOf(':');
  if (colon < 0) return actor;
  return (
    <span className="whitespace-nowrap">
      {actor.slice(0, colon)} <ShortId id={actor.slice(colon + 1)} />
    </span>
  );
}
