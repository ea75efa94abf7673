import { safeFileName, toExactJson } from '@atelier/sdk';

import { tellError } from '../../../ui/toasts.tsx';
import { toEditorFormat } from '../document/to-editor-format.ts';
import { toPrompt } from '../document/to-prompt.ts';
import type { WorkflowModel } from '../workflow-model.ts';

type Exported = Pick<WorkflowModel, 'name' | 'format' | 'json' | 'catalogue'>;

/** Gives the workflow as a file in the format that is asked for. */
export function exportWorkflow({ name, format, json, catalogue }: Exported, wanted: 'api' | 'editor'): void {
  try {
    const content =
      wanted === 'api'
        ? toPrompt(json, catalogue)
        : format === 'editor'
          ? json
          : toEditorFormat(json, catalogue);
    const ending = wanted === 'api' ? '.api.json' : '.json';
    offer(toExactJson(content, 2), `${safeFileName(name === '' ? 'workflow' : name)}${ending}`);
  } catch (error) {
    tellError(error);
  }
}

function offer(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
