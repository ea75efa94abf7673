import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

/** The storage of all users, and who uses the most. */
export function StorageTab() {
  const { admin } = useMessages();
  const format = useFormat();
  const report = useQuery({
    queryKey: ['admin-storage'],
    queryFn: async ({ signal }) => await atelier.admin.storage({ signal }),
  });
  return (
    <QueryView query={report} loading={<Skeleton className="h-64" />}>
      {({ used_bytes, quota_bytes, users }) => (
        <>
          <Panel className="mb-6 p-4">
            <p className="text-13 text-muted">{admin.storageUsed}</p>
            <p className="text-28 font-semibold tabular-nums">{format.bytes(used_bytes)}</p>
            <p className="text-13 text-muted">{admin.quotaEach(format.bytes(quota_bytes))}</p>
          </Panel>
          <Table
            label={admin.storage}
            rows={users}
            rowKey={({ user }) => user.id}
            columns={[
              {
                id: 'user',
                header: admin.user,
                cell: ({ user }) => <span className="wrap-anywhere">{user.email ?? user.id}</span>,
              },
              { id: 'files', header: admin.files, align: 'right', cell: ({ files }) => format.number(files) },
              {
                id: 'used',
                header: admin.used,
                align: 'right',
                cell: ({ used_bytes: bytes }) => format.bytes(bytes),
              },
              {
                id: 'share',
                header: admin.ofQuota,
                from: 'md',
                cell: ({ user, used_bytes: bytes }) => (
                  <Meter
                    fraction={bytes / Math.max(1, quota_bytes)}
                    label={`${admin.ofQuota}: ${user.email ?? user.id}`}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </QueryView>
  );
}
