import { useMessages } from '../../../i18n/i18n.tsx';
import { useWorkflowModel } from '../workflow-model.ts';

/** What the workflow is called, and whether it has changes that are not saved. */
export function WorkflowTitle() {
  const { workflow: texts } = useMessages();
  const { name, isDirty } = useWorkflowModel();
  return (
    <>
      {name === '' ? texts.untitled : name}
      {isDirty && <span className="ml-2 text-12 font-normal text-muted">{texts.unsaved}</span>}
    </>
  );
}
