import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { showErrorToast, showToast } from '../../../ui/toasts.tsx';
import type { Json } from '../document/json.ts';
import { copyShareLink } from '../share-link.ts';
import { useWorkflowModel } from '../workflow-model.ts';

/** Saves the open workflow on the server. */
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
    mutationFn: async ({ id, json }: { readonly id: string; readonly json: Json }) =>
      await atelier.workflows.update(id, { workflow: json }),
    onSuccess: async (_, { json }) => {
      if (json === model.json) model.markSaved();
      else model.adopt(json);
      showToast(texts.saved);
      await queryClient.invalidateQueries({ queryKey: ['workflows', 'versions'] });
      await refresh();
    },
    onError: showErrorToast,
  });
  return {
    isSaving: save.isPending,
    save: () => savedId !== undefined && save.mutate({ id: savedId, json: model.json }),
    /** Saves, optionally with other content, and returns whether it succeeded. A failure has already been shown. */
    saveNow: async (json: Json = model.json) =>
      savedId !== undefined &&
      (await save.mutateAsync({ id: savedId, json }).then(
        () => true,
        () => false,
      )),
    async saveAs(name: string, json: Json = model.json): Promise<string> {
      const saved = await atelier.workflows.save(json, { name });
      model.markSaved();
      showToast(texts.saved);
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
      showToast(workflows.linkCopied);
      await refresh();
    },
  };
}
