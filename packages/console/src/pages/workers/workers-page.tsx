import { useQuery } from '@tanstack/react-query';
import { KeyRound, Server } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { ConnectWorker } from './connect-worker.tsx';
import { Demand } from './demand.tsx';
import { WorkerRow } from './worker-row.tsx';
import { WorkerTokens } from './worker-tokens.tsx';

const REFRESH_MS = 3000;

/** The workers: one row each, with its current jobs and health. */
export function WorkersPage() {
  const { workers: texts } = useMessages();
  const [isConnecting, setConnecting] = useState(false);
  const workers = useQuery({
    queryKey: ['workers'],
    queryFn: async ({ signal }) => await atelier.admin.workers.list({ signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={texts.title}
      action={
        <Button look="primary" icon={<KeyRound size={15} aria-hidden />} onClick={() => setConnecting(true)}>
          {texts.connect}
        </Button>
      }
    >
      <Demand />
      <QueryView query={workers} loading={<Skeleton className="h-40" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Server size={28} aria-hidden />}>{texts.empty}</EmptyState>
          ) : (
            <ul className="mb-8 flex flex-col gap-3">
              {found.map((worker) => (
                <WorkerRow key={worker.id} worker={worker} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <WorkerTokens />
      <ConnectWorker isOpen={isConnecting} onClose={() => setConnecting(false)} />
    </Page>
  );
}
