import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';

/** Storage in use, and what fills it. */
export function StorageTab() {
  const { account } = useMessages();
  const format = useFormat();
  const use = useQuery({
    queryKey: ['usage', 'by-kind'],
    queryFn: async ({ signal }) => await atelier.account.usage({ byKind: true, signal }),
  });
  return (
    <QueryView query={use} loading={<Skeleton className="h-32" />}>
      {({ storage }) => (
        <Panel className="flex flex-col gap-4 p-4">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-28 font-semibold tabular-nums">{format.bytes(storage.used_bytes)}</span>
            <span className="text-muted">
              {account.ofQuota(format.bytes(storage.quota_bytes), format.number(storage.files))}
            </span>
          </p>
          <Meter fraction={storage.used_bytes / Math.max(1, storage.quota_bytes)} label={account.storage} />
          <Facts
            facts={(storage.by_kind ?? []).map(({ folder, kind, files, bytes }) => [
              `${account.folders[folder]}: ${account.kinds[kind]}`,
              `${format.bytes(bytes)} (${format.number(files)})`,
            ])}
          />
          <ButtonLink to="/gallery" className="self-start">
            {account.openGallery}
          </ButtonLink>
        </Panel>
      )}
    </QueryView>
  );
}
