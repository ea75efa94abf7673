import { useQuery } from '@tanstack/react-query';
import { SquareArrowOutUpRight } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { toEditorFormat } from '../document/to-editor-format.ts';
import { NameDialog } from '../header/name-dialog.tsx';
import { useSaving } from '../header/use-saving.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { openInEditor } from './open-in-editor.ts';

/**
 * Saves unsaved changes and opens the workflow in the stock editor, if the server has it. The editor cannot open the API format, so such a file is
 * converted first, and stays converted.
 */
export function EditorLink() {
  const { graph, workflow: texts } = useMessages();
  const { name, source, format, isDirty, json, catalogue, problems } = useWorkflowModel();
  const saving = useSaving();
  const [isNaming, setNaming] = useState(false);
  const { data: features } = useQuery({
    queryKey: ['features'],
    queryFn: async ({ signal }) => await atelier.server.features({ signal }),
  });
  if (!features?.has_editor) return null;
  const toSave = () => (format === 'api' ? toEditorFormat(json, catalogue) : json);
  const open = (id: string) => {
    if (!openInEditor(id)) showToast(graph.tabBlocked);
  };
  const press = async () => {
    const { savedId } = source;
    const unknown = problems.find(({ kind }) => kind === 'missing-type');
    // Anything the server does not know about a node would be lost.
    if (format === 'api' && unknown) showToast(graph.notConverted(unknown.text));
    else if (savedId === undefined) setNaming(true);
    else if ((format === 'editor' && !isDirty) || (await saving.saveNow(toSave()))) open(savedId);
  };
  return (
    <>
      <Button
        size="sm"
        look="quiet"
        isBusy={saving.isSaving}
        icon={<SquareArrowOutUpRight size={14} aria-hidden />}
        onClick={() => void press()}
      >
        {graph.fullEditor}
      </Button>
      <NameDialog
        isOpen={isNaming}
        title={texts.saveTitle}
        action={texts.save}
        name={name}
        onClose={() => setNaming(false)}
        onName={async (next) => open(await saving.saveAs(next, toSave()))}
      />
    </>
  );
}
