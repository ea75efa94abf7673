import { useQuery } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';

/** Failing addresses of all users. */
export function WebhooksTab() {
  const { admin, account } = useMessages();
  const endpoints = useQuery({
    queryKey: ['failing-endpoints'],
    queryFn: async ({ signal }) => await atelier.admin.failingEndpoints({ signal }),
  });
  return (
    <QueryView query={endpoints} loading={<Skeleton className="h-64" />}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState icon={<Webhook size={28} aria-hidden />}>{admin.noFailing}</EmptyState>
        ) : (
          <Table
            label={admin.webhooks}
            rows={found}
            rowKey={({ id }) => id}
            columns={[
              {
                id: 'url',
                header: admin.address,
                cell: ({ url }) => <span className="font-mono text-12 wrap-anywhere">{url}</span>,
              },
              {
                id: 'user',
                header: admin.user,
                cell: ({ user }) => <span className="wrap-anywhere">{user.email ?? user.id}</span>,
              },
              {
                id: 'status',
                header: admin.status,
                from: 'md',
                cell: ({ status }) => account.endpointStates[status],
              },
              {
                id: 'since',
                header: admin.since,
                cell: ({ failing_since }) => <RelativeTime at={failing_since} />,
              },
              {
                id: 'error',
                header: admin.error,
                from: 'lg',
                cell: ({ last_error }) => <span className="wrap-anywhere">{last_error}</span>,
              },
            ]}
          />
        )
      }
    </QueryView>
  );
}
