import { Coins } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { ShortId } from '../../ui/copy.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useList } from '../../use-list.ts';

/** The balance and every change to it. */
export function CreditsTab() {
  const { account } = useMessages();
  const format = useFormat();
  const ledger = useList(['credits'], (signal) => atelier.credits.list({ signal }));
  const signed = (amount: number) => `${amount > 0 ? '+' : ''}${format.number(amount)}`;
  return (
    <QueryView query={ledger} loading={<Skeleton className="h-64" />}>
      {(entries) => (
        <>
          <Panel className="mb-6 p-4">
            <p className="text-13 text-muted">{account.balance}</p>
            <p className="text-28 font-semibold tabular-nums">{format.number(ledger.first?.balance ?? 0)}</p>
          </Panel>
          <Section title={account.history}>
            {entries.length === 0 ? (
              <EmptyState icon={<Coins size={28} aria-hidden />}>{account.creditsEmpty}</EmptyState>
            ) : (
              <Table
                label={account.history}
                rows={entries}
                rowKey={({ id }) => String(id)}
                columns={[
                  { id: 'kind', header: account.what, cell: ({ kind }) => account.creditKinds[kind] },
                  { id: 'reason', header: account.reason, from: 'md', cell: ({ reason }) => reason },
                  {
                    id: 'reference',
                    header: account.reference,
                    from: 'lg',
                    cell: ({ reference }) => <ShortId id={reference.replace(/^task:/, '')} />,
                  },
                  {
                    id: 'at',
                    header: account.when,
                    cell: ({ created_at }) => <RelativeTime at={created_at} />,
                  },
                  {
                    id: 'amount',
                    header: account.amount,
                    align: 'right',
                    cell: ({ amount }) => signed(amount),
                  },
                  {
                    id: 'balance',
                    header: account.balance,
                    align: 'right',
                    cell: ({ balance_after }) => format.number(balance_after),
                  },
                ]}
              />
            )}
            <LoadMore query={ledger} />
          </Section>
        </>
      )}
    </QueryView>
  );
}
