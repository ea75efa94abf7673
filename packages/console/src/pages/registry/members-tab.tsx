import type { Member, NewMember, Publisher } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { AddMember } from './add-member.tsx';

interface Props {
  readonly publisher: Publisher;
  readonly canManage: boolean;
}

/** The members of a publisher. Anyone may leave; owners manage the others. */
export function MembersTab({ publisher, canManage }: Props) {
  const { id, name = id, members = [] } = publisher;
  const { registry } = useMessages();
  const me = useMe();
  const confirm = useConfirm();
  const client = useQueryClient();
  const acting = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => await act(),
    onSettled: async () => await client.invalidateQueries({ queryKey: ['publishers'] }),
    onError: showErrorToast,
  });
  const setRole = (member: Member, role: NewMember['role']) =>
    acting.mutate(async () => await atelier.registry.members.setRole(id, member.id, role));
  const remove = async (member: Member) => {
    const isMe = member.user.id === me.id;
    const isSure = await confirm({
      title: isMe ? registry.leaveTitle(name) : registry.removeMemberTitle(nameOf(member)),
      description: isMe ? registry.leaveHint : registry.removeMemberHint,
      action: isMe ? registry.leave : registry.removeMember,
    });
    if (isSure) acting.mutate(async () => await atelier.registry.members.remove(id, member.id));
  };
  return (
    <div className="flex flex-col gap-4">
      {canManage && <AddMember publisher={id} />}
      <Table
        label={registry.members}
        rows={members}
        rowKey={(member) => member.id}
        columns={[
          {
            id: 'user',
            header: registry.member,
            cell: (member) => (
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{nameOf(member)}</p>
                {member.user.name !== '' && member.user.email !== undefined && (
                  <p className="text-12 text-muted wrap-anywhere">{member.user.email}</p>
                )}
              </div>
            ),
          },
          {
            id: 'role',
            header: registry.role,
            cell: (member) =>
              canManage ? (
                <div className="w-32">
                  <Select
                    label={`${registry.role}: ${nameOf(member)}`}
                    value={member.role as NewMember['role']}
                    disabled={acting.isPending}
                    onValue={(role) => setRole(member, role)}
                    items={[
                      { value: 'owner', label: registry.roles.owner },
                      { value: 'member', label: registry.roles.member },
                    ]}
                  />
                </div>
              ) : (
                registry.roleName(member.role)
              ),
          },
          {
            id: 'actions',
            header: <span className="sr-only">{registry.actions}</span>,
            align: 'right',
            cell: (member) =>
              (canManage || member.user.id === me.id) && (
                <IconButton
                  size="sm"
                  label={
                    member.user.id === me.id ? registry.leave : `${registry.removeMember}: ${nameOf(member)}`
                  }
                  icon={<UserMinus size={15} aria-hidden />}
                  disabled={acting.isPending}
                  onClick={() => void remove(member)}
                />
              ),
          },
        ]}
      />
    </div>
  );
}

function nameOf({ user: { name, email, id = '' } }: Member): string {
  return name || email || id;
}
