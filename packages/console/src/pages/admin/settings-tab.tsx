import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

/** The settings as the server sees them. They are changed where it is started. */
export function SettingsTab() {
  const { admin } = useMessages();
  const settings = useQuery({
    queryKey: ['server-settings'],
    queryFn: async ({ signal }) => await atelier.admin.settings({ signal }),
  });
  return (
    <>
      <p className="mb-4 text-13 text-muted">{admin.settingsHint}</p>
      <QueryView query={settings} loading={<Skeleton className="h-96" />}>
        {(found) => (
          <Table
            label={admin.settings}
            rows={found}
            rowKey={({ name }) => name}
            columns={[
              {
                id: 'name',
                header: admin.setting,
                cell: ({ name }) => <code className="font-mono text-12">{name}</code>,
              },
              {
                id: 'value',
                header: admin.value,
                cell: ({ value, is_secret, is_set }) => (
                  <span className="font-mono text-12 wrap-anywhere">
                    {is_secret && is_set ? '••••••' : (value ?? '–')}
                    {!is_set && value !== undefined && (
                      <span className="font-sans text-muted"> {admin.byDefault}</span>
                    )}
                  </span>
                ),
              },
              {
                id: 'about',
                header: admin.about,
                from: 'lg',
                cell: ({ description }) => <span className="text-muted">{description}</span>,
              },
            ]}
          />
        )}
      </QueryView>
    </>
  );
}
