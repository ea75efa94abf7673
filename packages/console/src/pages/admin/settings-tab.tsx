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
                cell: ({ name, description }) => (
                  <>
                    <code className="font-mono text-12">{name}</code>
                    <p className="max-w-60 text-12 lg:hidden">
                      <About text={description} />
                    </p>
                  </>
                ),
              },
              {
                id: 'value',
                header: admin.value,
                cell: ({ value, is_secret, is_set }) => (
                  <span className="inline-block min-w-24 font-mono text-12 wrap-anywhere">
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
                cell: ({ description }) => <About text={description} />,
              },
            ]}
          />
        )}
      </QueryView>
    </>
  );
}

/** Names and values are between backticks. */
function About({ text }: { readonly text: string }) {
  return (
    <span className="text-muted">
      {text.split('`').map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- parts of one text do not move.
          <code key={index} className="font-mono text-12 text-text wrap-anywhere">
            {part}
          </code>
        ),
      )}
    </span>
  );
}
