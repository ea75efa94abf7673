import { isRecord } from '../validate/prompt-draft.ts';

/** Whether it is what the editor saves, with `nodes` and `links`, rather than nodes by their id. */
export function isEditorWorkflow(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value['nodes'])) return false;
  const { links, version } = value;
  // A file of the newer form may have no `links` when there are none.
  return Array.isArray(links) || isRecord(links) || version !== undefined;
}
