import type { SavedWorkflow } from '@atelier/sdk';
import { useQueryClient } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { copyShareLink } from '../workflow/share-link.ts';

/** The actions on a saved workflow in the list. */
export function useSavedActions({ id, name }: SavedWorkflow) {
  const { workflows: texts, common } = useMessages();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  /** Runs an action, confirms it, and refreshes the list. */
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work();
      if (done !== undefined) showToast(done);
      await queryClient.invalidateQueries({ queryKey: ['workflows', 'saved'] });
    } catch (error) {
      showErrorToast(error);
    }
  };
  return {
    async rename(next: string) {
      await atelier.workflows.update(id, { name: next });
      await queryClient.invalidateQueries({ queryKey: ['workflows', 'saved'] });
    },
    duplicate: async () =>
      await act(async () => {
        const { workflow_json: json } = await atelier.workflows.get(id);
        await atelier.workflows.save(json, { name: texts.copyOf(name) });
      }),
    share: async () => await act(async () => await copyShareLink(id), texts.linkCopied),
    unshare: async () => await act(async () => await atelier.workflows.unshare(id), texts.unshared),
    async remove() {
      const isSure = await confirm({
        title: texts.deleteTitle(name),
        description: texts.deleteText,
        action: common.delete,
      });
      if (isSure) await act(async () => await atelier.workflows.delete(id), texts.deleted(name));
    },
  };
}
