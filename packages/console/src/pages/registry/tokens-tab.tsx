import type { PublisherToken } from '@atelier/sdk';
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
import { NewTokenDialog } from './new-token-dialog.tsx';

/** The tokens with which build servers publish. */
export function TokensTab({ publisher }: { readonly publisher: string }) {
  const { registry } = useMessages();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const tokens = useQuery({
    queryKey: ['publishers', publisher, 'tokens'],
    queryFn: async ({ signal }) => await atelier.registry.tokens.list(publisher, { signal }),
  });
  const create = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
      {registry.createToken}
    </Button>
  );
  return (
    <Section title={registry.tokensHint} action={tokens.data && tokens.data.length > 0 ? create : undefined}>
      <QueryView query={tokens} loading={<Skeleton className="h-32" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<KeyRound size={28} aria-hidden />} action={create}>
              {registry.noTokens}
            </EmptyState>
          ) : (
            <TokenTable publisher={publisher} tokens={found} />
          )
        }
      </QueryView>
      <NewTokenDialog
        publisher={publisher}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(token) => {
          setCreating(false);
          setSecret(token);
        }}
      />
      <SecretDialog
        title={registry.tokenCreated}
        description={registry.tokenCreatedHint}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Section>
  );
}

interface TableProps {
  readonly publisher: string;
  readonly tokens: readonly PublisherToken[];
}

function TokenTable({ publisher, tokens }: TableProps) {
  const { common, registry } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async (id: string) => await atelier.registry.tokens.delete(publisher, id),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['publishers', publisher, 'tokens'] }),
    onError: showErrorToast,
  });
  const ask = async ({ id, name }: PublisherToken) => {
    const isSure = await confirm({
      title: registry.revokeTokenTitle(name),
      description: registry.revokeTokenHint,
      action: registry.revokeToken,
    });
    if (isSure) revoke.mutate(id);
  };
  return (
    <Table
      label={registry.tokens}
      rows={tokens}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'name',
          header: common.name,
          cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
        },
        {
          id: 'token',
          header: registry.token,
          cell: ({ token }) => <code className="font-mono text-12 text-muted">{token}</code>,
        },
        {
          id: 'created',
          header: registry.created,
          from: 'md',
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        {
          id: 'actions',
          header: <span className="sr-only">{registry.actions}</span>,
          align: 'right',
          cell: (token) => (
            <IconButton
              size="sm"
              label={`${registry.revokeToken}: ${token.name}`}
              icon={<Trash2 size={15} aria-hidden />}
              disabled={revoke.isPending}
              onClick={() => void ask(token)}
            />
          ),
        },
      ]}
    />
  );
}
