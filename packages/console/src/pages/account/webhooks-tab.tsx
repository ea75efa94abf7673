import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { Deliveries } from './deliveries.tsx';

/** The signing secret, failing addresses, and every delivery. */
export function WebhooksTab() {
  return (
    <>
      <Secret />
      <FailingEndpoints />
      <Deliveries />
    </>
  );
}

function Secret() {
  const { account } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const [isShown, setShown] = useState(false);
  const { data: secret } = useQuery({
    queryKey: ['webhook-secret'],
    queryFn: async ({ signal }) => await atelier.webhooks.secret({ signal }),
    enabled: isShown,
  });
  const rotate = useMutation({
    mutationFn: async () => await atelier.webhooks.rotateSecret(),
    onSuccess: (next) => {
      client.setQueryData(['webhook-secret'], next);
      setShown(true);
      showToast(account.secretRotated);
    },
    onError: showErrorToast,
  });
  const ask = async () => {
    const isSure = await confirm({
      title: account.secretRotateTitle,
      description: account.secretRotateHint,
      action: account.secretRotate,
    });
    if (isSure) rotate.mutate();
  };
  return (
    <Section title={account.secret}>
      <Panel className="flex flex-wrap items-center gap-2 p-4">
        <code className="min-w-40 grow font-mono text-12 wrap-anywhere">
          {isShown && secret !== undefined ? secret : 'whsec_••••••••••••'}
        </code>
        {isShown && secret !== undefined ? (
          <CopyButton text={secret} />
        ) : (
          <Button size="sm" onClick={() => setShown(true)}>
            {account.show}
          </Button>
        )}
        <Button size="sm" look="danger" isBusy={rotate.isPending} onClick={() => void ask()}>
          {account.secretRotate}
        </Button>
      </Panel>
    </Section>
  );
}

function FailingEndpoints() {
  const { account } = useMessages();
  const client = useQueryClient();
  const { data: endpoints = [] } = useQuery({
    queryKey: ['webhook-endpoints'],
    queryFn: async ({ signal }) => await atelier.webhooks.endpoints.list({ signal }),
  });
  const resume = useMutation({
    mutationFn: async (id: string) => await atelier.webhooks.endpoints.resume(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['webhook-endpoints'] });
      await client.invalidateQueries({ queryKey: ['deliveries'] });
    },
    onError: showErrorToast,
  });
  if (endpoints.length === 0) return null;
  return (
    <Section title={account.failingEndpoints}>
      <Panel>
        {endpoints.map((endpoint) => (
          <div
            key={endpoint.id}
            className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3 last:border-b-0"
          >
            <div className="min-w-0 grow">
              <p className="font-mono text-12 wrap-anywhere">{endpoint.url}</p>
              <p className="text-12 text-failed">{account.endpointStates[endpoint.status]}</p>
            </div>
            <Button size="sm" isBusy={resume.isPending} onClick={() => resume.mutate(endpoint.id)}>
              {account.resume}
            </Button>
          </div>
        ))}
      </Panel>
    </Section>
  );
}
