import type { PackVersion } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, TimerOff, Trash2 } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';

/** The actions of owners on a version. */
export function VersionMenu({
  publisher,
  version,
}: {
  readonly publisher: string;
  readonly version: PackVersion;
}) {
  const { common, registry } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const { id, node_id: pack, version: number, deprecated, status, downloadUrl } = version;
  const acting = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => await act(),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['packs'] }),
    onError: showErrorToast,
  });
  const { versions } = atelier.registry;
  const remove = async () => {
    const isSure = await confirm({
      title: registry.deleteVersionTitle(`${pack} ${number}`),
      description: registry.deleteVersionHint,
      action: common.delete,
    });
    if (isSure) acting.mutate(async () => await versions.delete(publisher, pack, id));
  };
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={registry.actionsOf(number)}
          icon={<Ellipsis size={16} aria-hidden />}
          disabled={acting.isPending}
        />
      }
      groups={[
        [
          ...(downloadUrl === undefined
            ? []
            : [
                {
                  label: registry.downloadArchive,
                  icon: <Download size={15} aria-hidden />,
                  onSelect: () => location.assign(downloadUrl),
                },
              ]),
          {
            label: deprecated ? registry.undeprecate : registry.deprecate,
            icon: <TimerOff size={15} aria-hidden />,
            disabled: status === 'NodeVersionStatusDeleted',
            onSelect: () =>
              acting.mutate(
                async () => await versions.update(publisher, pack, id, { deprecated: !deprecated }),
              ),
          },
        ],
        [
          {
            label: registry.deleteVersion,
            icon: <Trash2 size={15} aria-hidden />,
            isDangerous: true,
            disabled: status === 'NodeVersionStatusDeleted',
            onSelect: () => void remove(),
          },
        ],
      ]}
    />
  );
}
