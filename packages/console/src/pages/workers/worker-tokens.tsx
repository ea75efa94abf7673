import type { WorkerToken } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';

/** The tokens with which workers on other machines connect. */
export function WorkerTokens() {
  const { workers: texts } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const { data: tokens = [] } = useQuery({
    queryKey: ['worker-tokens'],
    queryFn: async ({ signal }) => await atelier.admin.workerTokens.list({ signal }),
  });
  const revoke = useMutation({
    mutationFn: async (id: string) => await atelier.admin.workerTokens.delete(id),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['worker-tokens'] }),
    onError: showErrorToast,
  });
  const ask = async ({ id, name }: WorkerToken) => {
    const isSure = await confirm({
      title: texts.revokeTitle(name),
      description: texts.revokeHint,
      action: texts.revoke,
    });
    if (isSure) revoke.mutate(id);
  };
  if (tokens.length === 0) return null;
  return (
    <Section title={texts.tokens}>
      <Table
        label={texts.tokens}
        rows={tokens}
        rowKey={({ id }) => id}
        columns={[
          { id: 'name', header: texts.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
          {
            id: 'labels',
            header: texts.labels,
            from: 'md',
            cell: ({ labels }) => labels?.join(', ') ?? texts.anyLabel,
          },
          {
            id: 'used',
            header: texts.lastUsed,
            cell: ({ last_used_at }) =>
              last_used_at === undefined ? texts.never : <RelativeTime at={last_used_at} />,
          },
          {
            id: 'actions',
            header: <span className="sr-only">{texts.revoke}</span>,
            align: 'right',
            cell: (token) => (
              <IconButton
                size="sm"
                label={`${texts.revoke}: ${token.name}`}
                icon={<Trash2 size={15} aria-hidden />}
                onClick={() => void ask(token)}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
