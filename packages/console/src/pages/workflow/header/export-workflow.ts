import { safeFileName, toExactJson } from '@atelier/sdk';

import { showErrorToast } from '../../../ui/toasts.tsx';
import { toEditorFormat } from '../document/to-editor-format.ts';
import { toPrompt } from '../document/to-prompt.ts';
import type { WorkflowModel } from '../workflow-model.ts';

type Exported = Pick<WorkflowModel, 'name' | 'format' | 'json' | 'catalogue'>;

/** Downloads the workflow as a file in the wanted format. */
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
    showErrorToast(error);
  }
}

function offer(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
