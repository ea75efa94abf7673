import { isRecord } from '../validate/prompt-draft.ts';

/** Whether it is what the editor saves, with a list of `nodes`, rather than nodes by their id. */
export function isEditorWorkflow(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value['nodes']);
}
