import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { tell, tellError } from '../../../ui/toasts.tsx';
import { copyShareLink } from '../share-link.ts';
import { useWorkflowModel } from '../workflow-model.ts';

/** Keeps the open workflow on the server. */
export function useSaving() {
  const { workflow: texts, workflows } = useMessages();
  const model = useWorkflowModel();
  const { savedId } = model.source;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const refresh = async () => await queryClient.invalidateQueries({ queryKey: ['workflows', 'saved'] });
  const open = async (id: string) =>
    await navigate({
      to: '/workflows/open',
      search: ({ view }) => ({ saved: id, ...(view !== undefined && { view }) }),
      replace: true,
    });
  const save = useMutation({
    mutationFn: async (id: string) => await atelier.workflows.update(id, { workflow: model.json }),
    onSuccess: async () => {
      model.markSaved();
      tell(texts.saved);
      await queryClient.invalidateQueries({ queryKey: ['workflows', 'versions'] });
      await refresh();
    },
    onError: tellError,
  });
  return {
    isSaving: save.isPending,
    save: () => savedId !== undefined && save.mutate(savedId),
    /** The same, and whether it is saved now. A failure has been shown. */
    saveNow: async () =>
      savedId !== undefined &&
      (await save.mutateAsync(savedId).then(
        () => true,
        () => false,
      )),
    async saveAs(name: string): Promise<string> {
      const saved = await atelier.workflows.save(model.json, { name });
      model.markSaved();
      tell(texts.saved);
      await refresh();
      await open(saved.id);
      return saved.id;
    },
    async rename(name: string) {
      if (savedId === undefined) return;
      const { id } = await atelier.workflows.update(savedId, { name });
      await refresh();
      await open(id);
    },
    async share() {
      if (savedId === undefined) return;
      await copyShareLink(savedId);
      tell(workflows.linkCopied);
      await refresh();
    },
  };
}
