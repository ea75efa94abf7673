import type { Worker } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';

/** The number of model files of a worker; a click lists them. */
export function WorkerModels({ worker }: { readonly worker: Worker }) {
  const { workers: texts } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const count = Object.values(worker.models).reduce((sum, each) => sum + each, 0);
  const models = useQuery({
    queryKey: ['workers', worker.id, 'models'],
    queryFn: async ({ signal }) => await atelier.admin.workers.models(worker.id, { signal }),
    enabled: isOpen,
  });
  if (count === 0) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {texts.modelsOf(count)}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.modelsTitle(worker.name)} isWide>
        <QueryView query={models} loading={<Skeleton className="h-40" />}>
          {(found) =>
            Object.entries(found).map(([folder, names]) => (
              <section key={folder}>
                <h3 className="mb-1 text-13 font-semibold">{folder}</h3>
                <ul className="font-mono text-12 text-muted">
                  {names.map((name) => (
                    <li key={name} className="wrap-anywhere">
                      {name}
                    </li>
                  ))}
                </ul>
              </section>
            ))
          }
        </QueryView>
      </Dialog>
    </>
  );
}
