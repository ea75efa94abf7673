import { Link } from '@tanstack/react-router';
import {
  Ellipsis,
  FileDown,
  FileJson,
  History,
  Pencil,
  Redo2,
  Save,
  SaveAll,
  Share2,
  Undo2,
} from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { showErrorToast } from '../../../ui/toasts.tsx';
import { useSavedElsewhere } from '../use-saved-elsewhere.ts';
import { useWorkflowModel } from '../workflow-model.ts';
import { exportWorkflow } from './export-workflow.ts';
import { NameDialog } from './name-dialog.tsx';
import { useSaving } from './use-saving.ts';
import { VersionsDialog } from './versions-dialog.tsx';

/** Save, undo, view and other actions in the page header. */
export function WorkflowActions({ view }: { readonly view: 'form' | 'graph' }) {
  const { workflow: texts } = useMessages();
  const model = useWorkflowModel();
  const saving = useSaving();
  useSavedElsewhere();
  const [dialog, setDialog] = useState<'save' | 'rename' | 'versions'>();
  const { savedId } = model.source;
  const save = () => (savedId === undefined ? setDialog('save') : saving.save());
  useShortcuts({ save, undo: model.undo, redo: model.redo });
  const icon = (Icon: typeof Save) => <Icon size={15} aria-hidden className="text-muted" />;
  return (
    <div className="flex items-center gap-1">
      <ViewSwitch view={view} />
      <IconButton
        label={texts.undo}
        icon={<Undo2 size={17} aria-hidden />}
        disabled={!model.canUndo}
        onClick={model.undo}
        className="max-sm:hidden"
      />
      <IconButton
        label={texts.redo}
        icon={<Redo2 size={17} aria-hidden />}
        disabled={!model.canRedo}
        onClick={model.redo}
        className="max-sm:hidden"
      />
      <Button isBusy={saving.isSaving} disabled={!model.isDirty} onClick={save} className="max-sm:hidden">
        {texts.save}
      </Button>
      <Menu
        trigger={<IconButton label={texts.actions} icon={<Ellipsis size={18} aria-hidden />} />}
        groups={[
          [
            { label: texts.save, icon: icon(Save), onSelect: save, disabled: !model.isDirty },
            { label: texts.saveAs, icon: icon(SaveAll), onSelect: () => setDialog('save') },
            ...(savedId === undefined
              ? []
              : [
                  { label: texts.rename, icon: icon(Pencil), onSelect: () => setDialog('rename') },
                  { label: texts.versions, icon: icon(History), onSelect: () => setDialog('versions') },
                  {
                    label: texts.share,
                    icon: icon(Share2),
                    onSelect: () => void saving.share().catch(showErrorToast),
                  },
                ]),
          ],
          [
            { label: texts.undo, icon: icon(Undo2), onSelect: model.undo, disabled: !model.canUndo },
            { label: texts.redo, icon: icon(Redo2), onSelect: model.redo, disabled: !model.canRedo },
          ],
          [
            {
              label: texts.exportEditor,
              icon: icon(FileDown),
              onSelect: () => exportWorkflow(model, 'editor'),
            },
            { label: texts.exportApi, icon: icon(FileJson), onSelect: () => exportWorkflow(model, 'api') },
          ],
        ]}
      />
      <NameDialog
        isOpen={dialog === 'save'}
        title={texts.saveTitle}
        action={texts.save}
        name={model.name}
        onClose={() => setDialog(undefined)}
        onName={saving.saveAs}
      />
      <NameDialog
        isOpen={dialog === 'rename'}
        title={texts.rename}
        action={texts.rename}
        name={model.name}
        onClose={() => setDialog(undefined)}
        onName={saving.rename}
      />
      {savedId !== undefined && (
        <VersionsDialog
          isOpen={dialog === 'versions'}
          savedId={savedId}
          onClose={() => setDialog(undefined)}
          onOpen={(json) => model.replace(json)}
        />
      )}
    </div>
  );
}

function ViewSwitch({ view }: { readonly view: 'form' | 'graph' }) {
  const { workflow: texts } = useMessages();
  return (
    <nav
      aria-label={texts.view}
      className="mr-1 flex h-9 items-center rounded-md border border-line bg-surface p-0.5"
    >
      {(['form', 'graph'] as const).map((each) => (
        <Link
          key={each}
          from="/workflows/open"
          to="/workflows/open"
          search={(before) => ({ ...before, view: each })}
          aria-current={view === each ? 'page' : undefined}
          className="flex h-full items-center rounded-sm px-2.5 text-13 font-medium text-muted hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-text"
        >
          {texts[each]}
        </Link>
      ))}
    </nav>
  );
}

interface Shortcuts {
  readonly save: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Ctrl-S, Ctrl-Z and Ctrl-Shift-Z. In a text field the browser's own undo takes precedence. */
function useShortcuts({ save, undo, redo }: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const isInText =
      event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
    const key = event.key.toLowerCase();
    if (key === 's') save();
    else if (key === 'z' && !isInText) (event.shiftKey ? redo : undo)();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
