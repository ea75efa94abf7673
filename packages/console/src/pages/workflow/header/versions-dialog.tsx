import { useMutation, useQuery } from '@tanstack/react-query';

import { atelier } from '../../../atelier.ts';
import { useFormat, useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { RelativeTime } from '../../../ui/times.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import type { Json } from '../document/json.ts';

interface Props {
  readonly isOpen: boolean;
  readonly savedId: string;
  readonly onClose: () => void;
  readonly onOpen: (json: Json) => void;
}

/** Earlier versions of a saved workflow. */
export function VersionsDialog({ isOpen, savedId, onClose, onOpen }: Props) {
  const { workflow: texts } = useMessages();
  const format = useFormat();
  const versions = useQuery({
    queryKey: ['workflows', 'versions', savedId],
    queryFn: async ({ signal }) => await atelier.workflows.versions(savedId, { signal }),
    enabled: isOpen,
  });
  const open = useMutation({
    mutationFn: async (version: number) => await atelier.workflows.get(savedId, { version }),
    onSuccess: ({ workflow_json: json }, version) => {
      onOpen(json);
      onClose();
      showToast(texts.restored(version));
    },
    onError: showErrorToast,
  });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.versionsTitle} description={texts.versionsText}>
      <QueryView query={versions} loading={<Skeleton className="h-32" />}>
        {(list) =>
          list.length === 0 ? (
            <p className="py-4 text-center text-muted">{texts.noVersions}</p>
          ) : (
            <ul className="flex flex-col">
              {list.map(({ version, size, saved_at: at }) => (
                <li
                  key={version}
                  className="flex items-center gap-3 border-b border-line py-2 last:border-b-0"
                >
                  <div className="min-w-0 grow">
                    <p className="font-medium">{texts.version(version)}</p>
                    <p className="text-12 text-muted">
                      <RelativeTime at={at} /> · {format.bytes(size)}
                    </p>
                  </div>
                  <Button
                    size="sm"
                    isBusy={open.isPending && open.variables === version}
                    onClick={() => open.mutate(version)}
                  >
                    {texts.restore}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  );
}
