import type { Account } from '@atelier/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useList } from '../../use-list.ts';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserMenu } from './user-menu.tsx';

/** All accounts. */
export function UsersTab() {
  const { admin } = useMessages();
  const { q = '' } = useSearch({ from: '/app/admin' });
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const users = useList(['users', q], (signal) =>
    atelier.admin.users.list({ search: q || undefined, signal }),
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchInput
          value={q}
          onValue={(text) =>
            void navigate({
              to: '/admin',
              search: { tab: 'users', ...(text !== '' && { q: text }) },
              replace: true,
            })
          }
          label={admin.searchUsers}
          className="w-full max-w-sm"
        />
        <Button look="primary" icon={<UserPlus size={15} aria-hidden />} onClick={() => setCreating(true)}>
          {admin.createUser}
        </Button>
      </div>
      <QueryView query={users} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Users size={28} aria-hidden />}>{admin.noUsers}</EmptyState>
          ) : (
            <UserTable users={found} />
          )
        }
      </QueryView>
      <LoadMore query={users} />
      <NewUserDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function UserTable({ users }: { readonly users: readonly Account[] }) {
  const { admin, account } = useMessages();
  const format = useFormat();
  return (
    <Table
      label={admin.users}
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'email',
          header: admin.user,
          cell: ({ email, name }) => (
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{email}</p>
              {name !== '' && <p className="text-12 text-muted wrap-anywhere">{name}</p>}
            </div>
          ),
        },
        {
          id: 'status',
          header: admin.status,
          cell: ({ status, ban_reason, role }) =>
            status === 'banned' ? (
              <span className="text-failed" title={ban_reason}>
                {admin.banned}
              </span>
            ) : (
              account.roles[role]
            ),
        },
        { id: 'plan', header: account.plan, from: 'md', cell: ({ subscription }) => planOf(subscription) },
        {
          id: 'credits',
          header: account.credits,
          align: 'right',
          from: 'md',
          cell: ({ credits }) => format.number(credits),
        },
        {
          id: 'since',
          header: account.since,
          from: 'lg',
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        {
          id: 'actions',
          header: <span className="sr-only">{account.actions}</span>,
          align: 'right',
          cell: (user) => <UserMenu user={user} />,
        },
      ]}
    />
  );
}

function planOf({ tier, status }: Account['subscription']): string {
  return status === 'active' ? tier : `${tier} (${status})`;
}
