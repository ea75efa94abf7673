import type { Publisher } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldBan, ShieldCheck } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { type Decision, ReasonDialog } from './reason-dialog.tsx';

const MAX_REASON = 1000;

/** Lets administrators ban publishers and lift the ban. */
export function PublisherMenu({ publisher }: { readonly publisher: Publisher }) {
  const { registry } = useMessages();
  const { role } = useMe();
  const client = useQueryClient();
  const [decision, setDecision] = useState<Decision>();
  const { id, name = id, status } = publisher;
  const done = async () => {
    showToast(registry.done);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['publishers'] }),
      client.invalidateQueries({ queryKey: ['packs'] }),
    ]);
  };
  const unban = useMutation({
    mutationFn: async () => await atelier.admin.registry.unbanPublisher(id),
    onSuccess: done,
    onError: showErrorToast,
  });
  if (role !== 'admin') return null;
  if (status === 'PublisherStatusBanned') {
    return (
      <Button
        icon={<ShieldCheck size={15} aria-hidden />}
        isBusy={unban.isPending}
        onClick={() => unban.mutate()}
      >
        {registry.unban}
      </Button>
    );
  }
  return (
    <>
      <Button
        look="danger"
        icon={<ShieldBan size={15} aria-hidden />}
        onClick={() =>
          setDecision({
            title: registry.banTitle(name),
            description: registry.banPublisherHint,
            label: registry.reason,
            hint: registry.reasonHint,
            action: registry.ban,
            isDangerous: true,
            maxLength: MAX_REASON,
            act: async (reason) => await atelier.admin.registry.banPublisher(id, reason || undefined),
          })
        }
      >
        {registry.ban}
      </Button>
      <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} onDone={() => void done()} />
    </>
  );
}
