import { useMutation, useQueryClient } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { showErrorToast } from '../../ui/toasts.tsx';

/** The actions of an administrator on a worker. */
export function useWorkerActions(id: string) {
  const client = useQueryClient();
  const shared = {
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['workers'] }),
    onError: showErrorToast,
  };
  return {
    drain: useMutation({ mutationFn: async () => await atelier.admin.workers.drain(id), ...shared }),
    release: useMutation({ mutationFn: async () => await atelier.admin.workers.release(id), ...shared }),
    quarantine: useMutation({
      mutationFn: async (reason: string) => await atelier.admin.workers.quarantine(id, reason),
      ...shared,
    }),
  };
}
