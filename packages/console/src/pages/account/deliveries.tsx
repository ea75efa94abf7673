import type { Delivery } from '@atelier/sdk';
import { Collapsible } from '@base-ui/react/collapsible';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, Send, Webhook } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { useList } from '../../use-list.ts';

const COLORS: Readonly<Record<Delivery['status'], string>> = {
  pending: 'text-waiting',
  delivered: 'text-done',
  failed: 'text-failed',
  paused: 'text-cancelled',
};

/** Every delivery, with each try. */
export function Deliveries() {
  const { account } = useMessages();
  const deliveries = useList(['deliveries'], (signal) => atelier.webhooks.deliveries.list({ signal }), {
    refetchInterval: 10_000,
  });
  return (
    <Section title={account.deliveries}>
      <QueryView query={deliveries} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Webhook size={28} aria-hidden />}>{account.deliveriesEmpty}</EmptyState>
          ) : (
            <Panel>
              {found.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </Panel>
          )
        }
      </QueryView>
      <LoadMore query={deliveries} />
    </Section>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { account } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <Collapsible.Root open={isOpen} onOpenChange={setOpen} className="border-b border-line last:border-b-0">
      <Collapsible.Trigger className="flex w-full items-center gap-3 px-4 py-2.5 text-left text-13 hover:bg-hover/60">
        <ChevronRight
          size={15}
          aria-hidden
          className={cx('shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
        />
        <span className={cx('w-24 shrink-0 font-medium', COLORS[delivery.status])}>
          {account.deliveryStates[delivery.status]}
        </span>
        <span className="shrink-0 max-sm:hidden">{delivery.type}</span>
        <span className="min-w-0 grow truncate font-mono text-12 text-muted">{delivery.url}</span>
        <span className="shrink-0 text-muted">
          <RelativeTime at={delivery.created_at} />
        </span>
      </Collapsible.Trigger>
      <Collapsible.Panel className="flex flex-col gap-4 border-t border-line bg-canvas px-4 py-4">
        <DeliveryDetails delivery={delivery} />
      </Collapsible.Panel>
    </Collapsible.Root>
  );
}

function DeliveryDetails({ delivery }: { readonly delivery: Delivery }) {
  const { account } = useMessages();
  const format = useFormat();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['deliveries', delivery.id, 'body'],
    queryFn: async ({ signal }) => await atelier.webhooks.deliveries.get(delivery.id, { signal }),
  });
  const redeliver = useMutation({
    mutationFn: async () => await atelier.webhooks.deliveries.redeliver(delivery.id),
    onSuccess: async () => {
      showToast(account.redelivered);
      await client.invalidateQueries({ queryKey: ['deliveries'] });
    },
    onError: showErrorToast,
  });
  return (
    <>
      <ol className="flex flex-col gap-1 text-13">
        {delivery.tries.map((each) => (
          <li key={each.at} className="flex flex-wrap gap-x-4">
            <span className="text-muted">{format.dateTime(new Date(each.at))}</span>
            <span className={each.error === undefined ? 'text-done' : 'text-failed'}>
              {each.status ?? '–'}
            </span>
            <span className="tabular-nums">{format.duration(each.ms)}</span>
            <span className="wrap-anywhere">{each.error}</span>
          </li>
        ))}
        {delivery.next_try_at !== undefined && (
          <li className="text-muted">
            {account.nextTry} <RelativeTime at={delivery.next_try_at} />
          </li>
        )}
      </ol>
      {data ? <CodeBlock label={account.body} code={pretty(data.body)} /> : <Skeleton className="h-24" />}
      <Button
        size="sm"
        icon={<Send size={14} aria-hidden />}
        isBusy={redeliver.isPending}
        onClick={() => redeliver.mutate()}
        className="self-start"
      >
        {account.redeliver}
      </Button>
    </>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
