import type { Pack, Publisher } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Boxes } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { useList } from '../../use-list.ts';
import { PackList, PackListSkeleton } from './pack-list.tsx';
import { useCanManage } from './registry-queries.ts';

export function PublisherPacks({ publisher: { id, status } }: { readonly publisher: Publisher }) {
  const { registry } = useMessages();
  const { role } = useMe();
  const canManage = useCanManage(id);
  const packs = useList(['packs', 'of', id, role], (signal) =>
    atelier.registry.packs.of(id, { includeBanned: role === 'admin', signal }),
  );
  // The packs of a banned publisher are banned too.
  const isBanned = (pack: Pack) => status === 'PublisherStatusActive' && pack.status === 'NodeStatusBanned';
  const banned = packs.data?.filter(isBanned) ?? [];
  return (
    <>
      <QueryView query={packs} loading={<PackListSkeleton rows={3} />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Boxes size={28} aria-hidden />}>{registry.noPacks}</EmptyState>
          ) : (
            <PackList packs={found.filter((pack) => !isBanned(pack))} isOfOne />
          )
        }
      </QueryView>
      <LoadMore query={packs} />
      {banned.length > 0 && (
        <div className="mt-6">
          <Section title={registry.bannedPacks}>
            <BannedPacks publisher={id} packs={banned} />
          </Section>
        </div>
      )}
      {canManage && (
        <div className="mt-6">
          <Section title={registry.howToPublish}>
            <CodeBlock
              label={registry.howToPublish}
              code={`atelier packs init my-pack --publisher ${id}\natelier packs check my-pack\natelier packs publish my-pack`}
            />
          </Section>
        </div>
      )}
    </>
  );
}

/** Only administrators see them. */
function BannedPacks({ publisher, packs }: { readonly publisher: string; readonly packs: readonly Pack[] }) {
  const { registry } = useMessages();
  const client = useQueryClient();
  const unban = useMutation({
    mutationFn: async (pack: string) => await atelier.admin.registry.unbanPack(publisher, pack),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['packs'] }),
    onError: showErrorToast,
  });
  return (
    <Panel>
      <ul>
        {packs.map(({ id, name = id, status_detail }) => (
          <li key={id} className="flex items-center gap-4 border-b border-line px-4 py-3 last:border-b-0">
            <div className="min-w-0 grow">
              <p className="font-medium wrap-anywhere">{name}</p>
              <p className="text-13 text-muted wrap-anywhere">{status_detail ?? registry.noReason}</p>
            </div>
            <Button
              size="sm"
              isBusy={unban.isPending && unban.variables === id}
              onClick={() => unban.mutate(id)}
            >
              {registry.unban}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
