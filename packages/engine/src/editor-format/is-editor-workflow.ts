import { isObject } from '@atelier/contracts/is-object';

/** Whether it is what the editor saves, with a list of `nodes`, rather than nodes by their id. */
export function isEditorWorkflow(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['nodes']);
}
