import type { Pack } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, ShieldBan, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { type Decision, ReasonDialog } from './reason-dialog.tsx';
import { useCanManage } from './registry-queries.ts';

const MAX_REASON = 1000;

/** The actions of owners and administrators on a pack. */
export function PackMenu({ pack }: { readonly pack: Pack }) {
  const { common, registry } = useMessages();
  const { role } = useMe();
  const confirm = useConfirm();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [decision, setDecision] = useState<Decision>();
  const { id, name = id } = pack;
  const publisher = pack.publisher?.id ?? '';
  const leave = async () => {
    showToast(registry.done);
    // Removes the pack's own queries, which would only fail, and refreshes the lists.
    for (const list of ['list', 'of', 'review']) client.removeQueries({ queryKey: ['packs', list] });
    await navigate({ to: '/registry' });
    client.removeQueries({ queryKey: ['packs', id] });
  };
  const remove = useMutation({
    mutationFn: async () => await atelier.registry.packs.delete(publisher, id),
    onSuccess: leave,
    onError: showErrorToast,
  });
  const ask = async () => {
    const isSure = await confirm({
      title: registry.deletePackTitle(name),
      description: registry.deletePackHint,
      action: common.delete,
    });
    if (isSure) remove.mutate();
  };
  const ban = () =>
    setDecision({
      title: registry.banTitle(name),
      description: registry.banPackHint,
      label: registry.reason,
      hint: registry.reasonHint,
      action: registry.ban,
      isDangerous: true,
      maxLength: MAX_REASON,
      act: async (reason) => await atelier.admin.registry.banPack(publisher, id, reason || undefined),
    });
  if (!useCanManage(publisher)) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={registry.actionsOf(name)}
            icon={<Ellipsis size={18} aria-hidden />}
            disabled={remove.isPending}
          />
        }
        groups={[
          [
            {
              label: registry.deletePack,
              icon: <Trash2 size={15} aria-hidden />,
              isDangerous: true,
              onSelect: () => void ask(),
            },
          ],
          role === 'admin'
            ? [
                {
                  label: registry.banPack,
                  icon: <ShieldBan size={15} aria-hidden />,
                  isDangerous: true,
                  onSelect: ban,
                },
              ]
            : [],
        ]}
      />
      <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} onDone={() => void leave()} />
    </>
  );
}
