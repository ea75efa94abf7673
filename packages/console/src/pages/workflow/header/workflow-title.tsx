import { useMessages } from '../../../i18n/i18n.tsx';
import { useWorkflowModel } from '../workflow-model.ts';

/** The name of the workflow, and whether it has unsaved changes. */
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
