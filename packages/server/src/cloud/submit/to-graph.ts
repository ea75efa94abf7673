import { isEditorWorkflow, type NodeCatalogue, toApiFormat, UnreadableWorkflow } from '@atelier/engine';

import type { Submission } from './read-submission.ts';
import { refusedPrompt } from './refused-prompt.ts';

/** The graph that was submitted; what the editor saves is converted, since that is what most people have at hand. */
export function toGraph(
  { prompt, order }: Pick<Submission, 'prompt' | 'order'>,
  catalogue: NodeCatalogue,
): { readonly prompt: unknown; readonly order: readonly string[] } {
  if (!isEditorWorkflow(prompt)) return { prompt, order };
  try {
    return toApiFormat(prompt, { catalogue });
  } catch (error) {
    if (!(error instanceof UnreadableWorkflow)) throw error;
    throw refusedPrompt('invalid_workflow', 'The workflow of the editor cannot be converted', error.message);
  }
}
