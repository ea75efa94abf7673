import type { Account } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { CreditsDialog } from './credits-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';

/** The actions of an administrator on an account. */
export function UserMenu({ user }: { readonly user: Account }) {
  const { admin } = useMessages();
  const me = useMe();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const client = useQueryClient();
  const [open, setOpen] = useState<'ban' | 'credits' | 'password' | 'plan'>();
  const act = useMutation({
    mutationFn: async (action: () => Promise<unknown>) => await action(),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['users'] }),
    onError: showErrorToast,
  });
  const { users } = atelier.admin;
  const isSelf = user.id === me.id;
  const dialog = { user, onClose: () => setOpen(undefined) };

  const remove = async () => {
    const isSure = await confirm({
      title: admin.deleteTitle(user.email),
      description: admin.deleteHint,
      action: admin.deleteUser,
    });
    if (isSure) act.mutate(async () => await users.delete(user.id));
  };

  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={admin.actionsOf(user.email)}
            icon={<MoreHorizontal size={16} aria-hidden />}
          />
        }
        groups={[
          [
            {
              label: admin.showJobs,
              onSelect: () => void navigate({ to: '/admin', search: { tab: 'jobs', user: user.id } }),
            },
            { label: admin.setPlan, onSelect: () => setOpen('plan') },
            { label: admin.changeCredits, onSelect: () => setOpen('credits') },
            { label: admin.setPassword, onSelect: () => setOpen('password') },
            user.role === 'admin'
              ? {
                  label: admin.demote,
                  disabled: isSelf,
                  onSelect: () => act.mutate(async () => await users.setRole(user.id, 'user')),
                }
              : {
                  label: admin.promote,
                  onSelect: () => act.mutate(async () => await users.setRole(user.id, 'admin')),
                },
          ],
          [
            user.status === 'banned'
              ? { label: admin.unban, onSelect: () => act.mutate(async () => await users.unban(user.id)) }
              : { label: admin.ban, isDangerous: true, disabled: isSelf, onSelect: () => setOpen('ban') },
            {
              label: admin.deleteUser,
              isDangerous: true,
              disabled: isSelf,
              onSelect: () => void remove(),
            },
          ],
        ]}
      />
      {open === 'ban' && <BanDialog {...dialog} />}
      {open === 'credits' && <CreditsDialog {...dialog} />}
      {open === 'password' && <PasswordDialog {...dialog} />}
      {open === 'plan' && <PlanDialog {...dialog} />}
    </>
  );
}
