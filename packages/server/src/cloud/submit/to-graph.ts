import {
  isEditorWorkflow,
  type NodeCatalogue,
  type SubmittedPrompt,
  toApiFormat,
  UnreadableWorkflow,
} from '@atelier/engine';

import type { Submission } from './read-submission.ts';
import { refusedPrompt } from './refused-prompt.ts';

/** The graph that was submitted; what the editor saves is converted, since that is what most people have at hand. */
export function toGraph(
  { prompt, order, exact }: Pick<Submission, 'prompt' | 'order' | 'exact'>,
  catalogue: NodeCatalogue,
): SubmittedPrompt {
  if (!isEditorWorkflow(prompt)) return { prompt, order, exact };
  try {
    return toApiFormat(prompt, { catalogue });
  } catch (error) {
    if (!(error instanceof UnreadableWorkflow)) throw error;
    throw refusedPrompt('invalid_workflow', 'The workflow of the editor cannot be converted', error.message);
  }
}
