import type { ApiKey } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

export function KeysTab() {
  const { account } = useMessages();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => await atelier.keys.list({ signal }),
  });
  const create = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
      {account.keyCreate}
    </Button>
  );
  return (
    <Section title={account.keysHint} action={keys.data && keys.data.length > 0 ? create : undefined}>
      <QueryView query={keys} loading={<Skeleton className="h-48" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<KeyRound size={28} aria-hidden />} action={create}>
              {account.keysEmpty}
            </EmptyState>
          ) : (
            <KeyTable keys={found} />
          )
        }
      </QueryView>
      <NewKeyDialog
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false);
          setSecret(key);
        }}
      />
      <SecretDialog
        title={account.keyCreated}
        description={account.keyCreatedHint}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Section>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { account } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async (id: string) => await atelier.keys.delete(id),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['keys'] }),
    onError: showErrorToast,
  });
  const ask = async ({ id, name }: ApiKey) => {
    const isSure = await confirm({
      title: account.keyRevokeTitle(name),
      description: account.keyRevokeHint,
      action: account.keyRevoke,
    });
    if (isSure) revoke.mutate(id);
  };
  return (
    <Table
      label={account.keys}
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { id: 'name', header: account.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
        {
          id: 'key',
          header: account.key,
          cell: ({ key_prefix }) => <code className="font-mono text-12 text-muted">{key_prefix}…</code>,
        },
        {
          id: 'scopes',
          header: account.scopes,
          from: 'md',
          cell: ({ scopes }) =>
            scopes?.map((scope) => account.scopeNames[scope]).join(', ') ?? account.everything,
        },
        {
          id: 'created',
          header: account.created,
          from: 'md',
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        {
          id: 'actions',
          header: <span className="sr-only">{account.actions}</span>,
          align: 'right',
          cell: (key) => (
            <IconButton
              size="sm"
              label={`${account.keyRevoke}: ${key.name}`}
              icon={<Trash2 size={15} aria-hidden />}
              onClick={() => void ask(key)}
            />
          ),
        },
      ]}
    />
  );
}
