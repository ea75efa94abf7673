import type { Delivery } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';

const COLORS: Readonly<Record<Delivery['status'], string>> = {
  pending: 'text-waiting',
  delivered: 'text-done',
  failed: 'text-failed',
  paused: 'text-waiting',
};

/** The webhook messages about a job and their tries, with a button to resend. */
export function JobDeliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { jobs: texts } = useMessages();
  const lastTry = ({ tries }: Delivery) => {
    const last = tries.at(-1);
    return last && (last.error ?? last.status);
  };
  return (
    <Table
      label={texts.webhooks}
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={[
        { id: 'event', header: texts.event, cell: ({ type }) => type },
        {
          id: 'state',
          header: texts.state,
          cell: ({ status }) => (
            <span className={cx('font-medium', COLORS[status])}>{texts.deliveryStates[status]}</span>
          ),
        },
        {
          id: 'address',
          header: texts.address,
          from: 'md',
          cell: ({ url }) => <span className="wrap-anywhere">{url}</span>,
        },
        {
          id: 'tries',
          header: texts.tries,
          cell: (delivery) => (
            <span className="wrap-anywhere text-muted">
              {delivery.tries.length}
              {lastTry(delivery) !== undefined && ` · ${lastTry(delivery)}`}
            </span>
          ),
        },
        {
          id: 'when',
          header: texts.when,
          from: 'md',
          cell: ({ created_at: at }) => <RelativeTime at={at} />,
        },
        { id: 'action', header: '', align: 'right', cell: ({ id }) => <SendAgain id={id} /> },
      ]}
    />
  );
}

function SendAgain({ id }: { readonly id: string }) {
  const { jobs: texts } = useMessages();
  const queryClient = useQueryClient();
  const sending = useMutation({
    mutationFn: async () => await atelier.webhooks.deliveries.redeliver(id),
    onSuccess: () => showToast(texts.sentAgain),
    onError: showErrorToast,
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ['job'] }),
  });
  return (
    <Button
      size="sm"
      isBusy={sending.isPending}
      icon={<Send size={13} aria-hidden />}
      onClick={() => sending.mutate()}
    >
      {texts.sendAgain}
    </Button>
  );
}
