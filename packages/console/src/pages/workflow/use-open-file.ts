import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { NoWorkflowError, readWorkflowFile } from './document/read-file.ts';
import { runWhenOpened, storeDraft } from './open-workflows.ts';
import { withoutExtension } from './workflow-source.ts';

/** The `accept` attribute of a file input. */
export const WORKFLOW_FILES = '.json,application/json,image/png,image/webp,video/mp4';

/** Opens a workflow from a file: JSON, or a picture or video that contains one. With `isStarted` it also runs, unless something is missing. */
export function useOpenFile({ isStarted = false }: { readonly isStarted?: boolean } = {}) {
  const { workflows: texts } = useMessages();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: async (file: File) => {
      try {
        return storeDraft(withoutExtension(file.name), await readWorkflowFile(file));
      } catch (error) {
        throw error instanceof NoWorkflowError ? new Error(texts.noWorkflow(file.name)) : error;
      }
    },
    onSuccess: async (draft) => {
      if (isStarted) runWhenOpened(`draft ${draft}`);
      await navigate({ to: '/workflows/open', search: { draft } });
    },
    onError: showErrorToast,
  });
  return {
    isOpening: opening.isPending,
    open: ([file]: readonly File[]) => file && opening.mutate(file),
    openAsset(id: string) {
      if (isStarted) runWhenOpened(`asset ${id}`);
      void navigate({ to: '/workflows/open', search: { asset: id } });
    },
  };
}
